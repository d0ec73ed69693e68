//! Times as TLC writes them, in the time zone of the machine.

use std::time::Duration;

/// Returns the time of day in TLC's form: `2026-11-16 00:40:33`.
pub fn now() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// Returns the duration of a run in TLC's form: `1349ms` for tools, `02s` or `01min 05s` for people.
pub fn took(elapsed: Duration, is_tool: bool) -> String {
    let seconds = elapsed.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match seconds {
        _ if is_tool => format!("{}ms", elapsed.as_millis()),
        86_400.. => format!("{days}d {hours:02}h"),
        3_600.. => format!("{hours:02}h {minutes:02}min"),
        60.. => format!("{minutes:02}min {:02}s", seconds % 60),
        _ => format!("{seconds:02}s"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::took;

    #[test]
    fn a_run_is_as_long_as_tlc_says() {
        let check = |seconds, expected| assert_eq!(took(Duration::from_secs(seconds), false), expected);
        check(2, "02s");
        check(65, "01min 05s");
        check(3_700, "01h 01min");
        check(2 * 86_400 + 7_200, "2d 02h");
        assert_eq!(took(Duration::from_millis(1349), true), "1349ms");
    }
}
