//! How much memory a search may take: what the user says, or most of what the machine has to give.

/// Of what is free, one part in so many stays free.
const SPARE_SHARE: u64 = 8;
/// When nothing is known about the machine.
const UNKNOWN_BYTES: u64 = 4 << 30;

/// The part of free memory that a search takes without being told.
pub fn available_bytes() -> u64 {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| mem_available(&text));
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group: Option<u64> = group.and_then(|text| text.trim().parse().ok());
    let bytes = machine.unwrap_or(UNKNOWN_BYTES).min(group.unwrap_or(u64::MAX));
    bytes - bytes / SPARE_SHARE
}

/// `MemAvailable:   12345 kB`
fn mem_available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// `500M`, `8G`, or a number of bytes.
pub fn parse(text: &str) -> Result<u64, String> {
    let (number, shift) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(number) if text.ends_with('K') => (number, 10),
        Some(number) if text.ends_with('M') => (number, 20),
        Some(number) => (number, 30),
        None => (text, 0),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "a number of bytes, or one with K, M or G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{mem_available, parse};

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse("8G"), Ok(8 << 30));
        assert_eq!(parse("500M"), Ok(500 << 20));
        assert_eq!(parse("1024"), Ok(1024));
        assert!(parse("much").is_err() && parse("99999999999G").is_err() && parse("").is_err());
    }

    #[test]
    fn the_kernel_says_what_is_available() {
        assert_eq!(mem_available("MemTotal: 10 kB\nMemAvailable:   2048 kB\n"), Some(2 << 20));
        assert_eq!(mem_available("nothing of the kind"), None);
    }
}
