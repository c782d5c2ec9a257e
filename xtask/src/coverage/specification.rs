//! Lines and statements of the specification.

/// A line of the numbered sections: a paragraph, a bullet or a row of a table.
pub struct Row {
    /// The line number, from 1.
    pub line: usize,
    pub section: String,
    pub text: String,
}

impl Row {
    /// The statements without a quote.
    pub fn bare_statements(&self, quotes: &[&str]) -> Vec<String> {
        let touched: Vec<(usize, usize)> = quotes
            .iter()
            .filter_map(|quote| self.text.find(quote).map(|from| (from, from.saturating_add(quote.len()))))
            .collect();
        let is_touched = |&(from, to): &(usize, usize)| touched.iter().any(|&(start, end)| start < to && from < end);
        statements(&self.text)
            .into_iter()
            .filter(|place| !is_touched(place))
            .filter_map(|(from, to)| self.text.get(from..to).map(|text| text.trim().to_owned()))
            .collect()
    }
}

pub fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut section = String::new();
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_owned();
        }
        let is_table_head = |at: usize| lines.get(at).is_some_and(|line| line.starts_with("|---"));
        let is_silent =
            line.is_empty() || line.starts_with('#') || is_table_head(index) || is_table_head(index.saturating_add(1));
        if !section.is_empty() && !is_silent {
            let text = line.strip_prefix("- ").unwrap_or(line).to_owned();
            rows.push(Row { line: index.saturating_add(1), section: section.clone(), text });
        }
    }
    rows
}

/// The range of each statement: a sentence, or a whole table row.
fn statements(text: &str) -> Vec<(usize, usize)> {
    if text.starts_with('|') {
        return vec![(0, text.len())];
    }
    let mut found = Vec::new();
    let mut from = 0;
    for (at, stop) in text.match_indices(['.', ';']) {
        let rest = text.get(at.saturating_add(stop.len())..).unwrap_or_default();
        let next = rest.strip_prefix(' ').and_then(|rest| rest.chars().next());
        if stop == ";" || next.is_some_and(char::is_uppercase) {
            let to = at.saturating_add(stop.len());
            found.push((from, to));
            from = to;
        }
    }
    if text.get(from..).is_some_and(|rest| !rest.trim().is_empty()) {
        found.push((from, text.len()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn a_line_is_a_paragraph_a_bullet_or_a_row() {
        let found = rows("intro\n## 2. Screens\n\n| a | b |\n|---|---|\n| / | all |\n\n- One. Two; three... four.\n");
        let lines: Vec<(usize, &str)> = found.iter().map(|row| (row.line, row.text.as_str())).collect();
        assert_eq!(lines, [(6, "| / | all |"), (8, "One. Two; three... four.")]);
        assert_eq!(found[1].bare_statements(&["One"]), ["Two;", "three... four."]);
        assert_eq!(found[0].bare_statements(&["all"]).len(), 0);
    }
}
