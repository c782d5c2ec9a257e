//! The receipt as plain text, for the text part of emails.

use super::receipt::{NO_ITEMS, Receipt, ReceiptLine};

impl Receipt {
    /// The receipt in the order of the view, without a trailing line break.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\nPlaced: {}\nStatus: {}\n\n", self.title, self.placed, self.status);
        if self.lines.is_empty() {
            push_line(&mut text, NO_ITEMS);
        }
        for ReceiptLine { name, each, warranty, total, .. } in &self.lines {
            push_line(&mut text, &format!("{name}\n  {each} = {total}"));
            if let Some(warranty) = warranty {
                push_line(&mut text, &format!("  {warranty}"));
            }
        }
        text.push('\n');
        for sum in &self.sums {
            push_line(&mut text, &format!("{}: {}", sum.label, sum.amount));
        }
        push_line(&mut text, &format!("Total: {}", self.total));
        push_line(&mut text, &self.payment);
        self.push_tracking(&mut text);
        push_paragraph(&mut text, "Ship to:", &self.ship_to);
        push_paragraph(&mut text, "Bill to:", &self.bill_to);
        text.push_str(&format!("\nQuestions? Email {}.", self.support_email));
        text
    }

    fn push_tracking(&self, text: &mut String) {
        let Some(tracking) = &self.tracking else { return };
        text.push('\n');
        push_line(text, &format!("Tracking number: {}", tracking.number));
        if let Some(link) = &tracking.link {
            push_line(text, &format!("Track with {}: {}", link.carrier, link.url));
        }
    }
}

fn push_paragraph(text: &mut String, title: &str, lines: &[String]) {
    text.push('\n');
    push_line(text, title);
    for line in lines {
        push_line(text, line);
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}
