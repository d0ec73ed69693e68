//! Reads the output of callgrind: the instructions that were executed, by function and by source file.
//!
//! Names and positions are written out (`--compress-strings=no --compress-pos=no`), so a file is a list of `key=name`
//! lines that give the position and `line cost` lines that give the cost there.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

/// The place where instructions were executed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CostPlace {
    pub function: String,
    /// The file of the function.
    pub own_file: String,
    /// The file of the line: a different one if the line was inlined.
    pub file: String,
    pub line: u32,
    /// The program or library.
    pub object: String,
}

/// Instructions by place, without those of called functions.
pub type Costs = BTreeMap<CostPlace, u64>;

pub fn parse(text: &str) -> Result<Costs> {
    let mut costs = Costs::new();
    let mut place = CostPlace::default();
    // The line after `calls=` has the cost of the called function, which is counted there.
    let mut is_of_call = false;
    for line in text.lines() {
        if let Some((key, name)) = line.split_once('=') {
            match key {
                "ob" => name.clone_into(&mut place.object),
                "fl" | "fi" | "fe" => name.clone_into(&mut place.file),
                "fn" => {
                    place.function = remove_level(name).to_owned();
                    place.own_file.clone_from(&place.file);
                }
                "calls" => is_of_call = true,
                _ => {}
            }
        } else if line.starts_with(|first: char| first.is_ascii_digit()) && !std::mem::take(&mut is_of_call) {
            let cost;
            (place.line, cost) = parse_cost(line)?;
            *costs.entry(place.clone()).or_default() += cost;
        }
    }
    Ok(costs)
}

/// Parses `12 345`: 345 instructions in line 12. A missing cost is zero.
fn parse_cost(text: &str) -> Result<(u32, u64)> {
    let (line, cost) = text.split_once(' ').unwrap_or((text, "0"));
    let wrong = || format!("callgrind wrote no line and cost: `{text}`");
    Ok((line.parse().with_context(wrong)?, cost.trim().parse().with_context(wrong)?))
}

/// Removes the level of recursion: callgrind writes `f'2` for `f` inside `f`.
fn remove_level(name: &str) -> &str {
    match name.rsplit_once('\'') {
        Some((function, level)) if !level.is_empty() && level.bytes().all(|byte| byte.is_ascii_digit()) => {
            function
        }
        Some(_) | None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::{Costs, parse, remove_level};

    const SAMPLE: &str = "\
# callgrind format
version: 1
cmd:  program --flag=1
positions: line
events: Ir
summary: 1000

ob=/bin/program
fl=/src/a.rs
fn=first
10 5
fi=/src/inlined.rs
3 7
cfn=second
calls=2 20
11 100
fe=/src/a.rs
12 1

fn=second
20 40
20 2

fn=first'2
10 1
";

    fn total(costs: &Costs, function: &str, file: &str) -> u64 {
        let is_it = |name: &str, wanted: &str| wanted.is_empty() || name == wanted;
        let matching =
            costs.iter().filter(|(place, _)| is_it(&place.function, function) && is_it(&place.file, file));
        matching.map(|(_, cost)| cost).sum()
    }

    #[test]
    fn what_a_call_costs_is_counted_where_it_is_spent() {
        let costs = parse(SAMPLE).unwrap();
        assert_eq!(total(&costs, "second", ""), 42);
        assert_eq!(total(&costs, "", ""), 5 + 7 + 1 + 40 + 2 + 1);
    }

    #[test]
    fn inlined_lines_have_their_own_file_and_the_functions() {
        let costs = parse(SAMPLE).unwrap();
        assert_eq!(total(&costs, "first", "/src/inlined.rs"), 7);
        let inlined = costs.keys().find(|place| place.file == "/src/inlined.rs");
        assert_eq!(inlined.map(|place| place.line), Some(3));
        assert!(costs.keys().all(|place| place.own_file == "/src/a.rs" && place.object == "/bin/program"));
    }

    #[test]
    fn levels_of_recursion_are_one_function() {
        let costs = parse(SAMPLE).unwrap();
        assert_eq!(total(&costs, "first", "/src/a.rs"), 5 + 1 + 1);
        assert_eq!(remove_level("f'12"), "f");
        assert_eq!(remove_level("<&'a T>::f"), "<&'a T>::f");
    }

    #[test]
    fn a_cost_that_is_no_number_is_an_error() {
        assert!(parse("fn=f\n10 many\n").is_err());
    }
}
