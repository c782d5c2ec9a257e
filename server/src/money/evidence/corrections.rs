//! Corrections of an order's status: a status that was set and set back says nothing about the order.

use wasm_core::orders::OrderStatus;

use crate::orders::history::{Entry, HistoryEvent};

/// The history without changes of the status that a later one took back. Oldest first, as the history is.
pub fn without_corrections(history: Vec<Entry>) -> Vec<Entry> {
    let mut kept: Vec<Entry> = Vec::with_capacity(history.len());
    for entry in history {
        match entry.event {
            HistoryEvent::StatusChanged { to, .. } => match earlier_change_from(&kept, to) {
                Some(first) => remove_changes(&mut kept, first),
                None => kept.push(entry),
            },
            _ => kept.push(entry),
        }
    }
    kept
}

/// The first change away from the status that the order has again.
fn earlier_change_from(kept: &[Entry], status: OrderStatus) -> Option<usize> {
    kept.iter().position(|entry| matches!(entry.event, HistoryEvent::StatusChanged { from, .. } if from == status))
}

fn remove_changes(kept: &mut Vec<Entry>, first: usize) {
    let changes = kept.split_off(first);
    kept.extend(changes.into_iter().filter(|entry| !matches!(entry.event, HistoryEvent::StatusChanged { .. })));
}
