//! CPU time, as counted by the kernel.

use std::fs;

use crate::databases::Served;
use xtask::process::Failure;

/// The kernel's clock tick in microseconds.
const TICK: u64 = 10_000;

/// CPU time of the server and the database since their start, in microseconds.
pub fn total(served: &Served) -> Result<u64, Failure> {
    let own = Times::of(served.shop.server.id()).ok_or_else(|| Failure::new("no CPU time in /proc"))?;
    let Some(postmaster) = served.postmaster else {
        return Ok(own.spent * TICK);
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let all = processes.filter_map(|entry| Times::of(entry.file_name().to_str()?.parse().ok()?));
    let database: u64 = all.filter(|times| times.parent == postmaster).map(|times| times.spent).sum();
    let ended = Times::of(postmaster).map_or(0, |times| times.spent + times.spent_by_ended_children);
    Ok((own.spent + database + ended) * TICK)
}

struct Times {
    parent: u32,
    spent: u64,
    spent_by_ended_children: u64,
}

impl Times {
    fn of(process: u32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The process name in parentheses may contain any character.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
        Some(Self {
            parent: fields.get(1)?.parse().ok()?,
            spent: number(11)? + number(12)?,
            spent_by_ended_children: number(13)? + number(14)?,
        })
    }
}
