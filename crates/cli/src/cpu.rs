//! How much of the processors this process has used.

/// The kernel reports times in hundredths of a second on every machine.
const MS_PER_TICK: u64 = 10;
/// Position of the CPU time in user mode, counted from the end of the program's name, which may contain
/// spaces. The time in the kernel follows.
const USER_FIELD: usize = 11;

/// Returns the CPU time of all threads, including those that have ended, if the system says.
pub fn used_ms() -> Option<u64> {
    parse(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// Reads the CPU time from a line such as `1234 (name) R 1 ...`.
fn parse(stat: &str) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(") ")?;
    let ticks: Option<Vec<u64>> =
        after_name.split(' ').skip(USER_FIELD).take(2).map(|field| field.parse().ok()).collect();
    let ticks = ticks.filter(|ticks| ticks.len() == 2)?;
    Some(ticks.iter().sum::<u64>() * MS_PER_TICK)
}

#[cfg(test)]
mod tests {
    use super::{parse, used_ms};

    #[test]
    fn user_and_system_time_are_added() {
        let stat = "7 (a b) c) R 1 7 7 0 -1 4194304 100 0 0 0 250 17 0 0 20 0 1 0 100 1000 10";
        assert_eq!(parse(stat), Some(2670));
        assert_eq!(parse("7 (a) R 1 7"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn time_does_not_go_back() {
        let before = used_ms();
        assert!(before <= used_ms());
    }
}
