//! Numbers and limits in words.

use model::Limit;

pub fn limit(limit: Limit) -> String {
    match limit {
        Limit::Depth(level) => format!("states of level {level} were not expanded"),
        Limit::States(n) => format!("it ended after {}", counted(n, "distinct state")),
        Limit::Time => "the time was up".to_owned(),
        Limit::Memory => "there was no room to go on".to_owned(),
    }
}

/// Returns a number with its noun: `1 state`, `1,234 states`.
pub fn counted(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(n)) }
}

/// Returns a number with commas: `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
