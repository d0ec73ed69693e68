//! The memory that a search may take: the amount that the user sets, or three quarters of the machine's.

use std::path::Path;

/// Memory of a machine about which nothing is known.
const UNKNOWN_BYTES: u64 = 4 << 30;
const GROUPS: &str = "/sys/fs/cgroup";

/// Returns the memory that a search uses by default: three quarters of the machine's memory, or of the limit of its
/// control group, and no more than half of the addresses that the process may have.
pub fn default_bytes() -> u64 {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| field(&text, "MemTotal:"));
    let bytes = machine.unwrap_or(UNKNOWN_BYTES).min(group_bytes().unwrap_or(u64::MAX));
    (bytes / 4 * 3).min(address_space_max().map_or(u64::MAX, |bytes| bytes / 2))
}

/// Returns the peak of resident memory of this process, if the system says.
pub fn peak_bytes() -> Option<u64> {
    field(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Returns the limit on the address space of this process, in bytes, if there is one.
pub fn address_space_max() -> Option<u64> {
    address_space(&std::fs::read_to_string("/proc/self/limits").ok()?)
}

/// Reads the limit from the line `Max address space   307200000   307200000   bytes`.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The least that a group which this process is in is allowed.
fn group_bytes() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    let second = Path::new(GROUPS).join(own);
    let second = second
        .ancestors()
        .take_while(|group| group.starts_with(GROUPS))
        .map(|group| group.join("memory.max"));
    // The older kind of group.
    let first = Path::new(GROUPS).join("memory/memory.limit_in_bytes");
    let limit =
        |path: std::path::PathBuf| -> Option<u64> { std::fs::read_to_string(path).ok()?.trim().parse().ok() };
    second.chain([first]).filter_map(limit).min()
}

/// Reads the bytes from a line such as `MemTotal:   12345 kB`.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// Reads an amount of memory: `500M`, `500MB`, `8G`, or a number of bytes.
pub fn parse(text: &str) -> Result<u64, String> {
    let text = text.strip_suffix('B').filter(|text| text.ends_with(['K', 'M', 'G'])).unwrap_or(text);
    let (number, shift) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(number) if text.ends_with('K') => (number, 10),
        Some(number) if text.ends_with('M') => (number, 20),
        Some(number) => (number, 30),
        None => (text, 0),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "a number of bytes, or one with K, M or G".to_owned())
}

/// Returns a number of bytes as an amount that this machine can address.
pub fn bytes(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::{address_space, default_bytes, field, parse, peak_bytes};

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse("8G"), Ok(8 << 30));
        assert_eq!(parse("500M"), Ok(500 << 20));
        assert_eq!(parse("500MB"), Ok(500 << 20));
        assert!(parse("500B").is_err());
        assert_eq!(parse("1024"), Ok(1024));
        assert!(parse("much").is_err() && parse("99999999999G").is_err() && parse("").is_err());
    }

    #[test]
    fn the_kernel_says_what_there_is() {
        assert_eq!(field("MemFree: 10 kB\nMemTotal:   2048 kB\n", "MemTotal:"), Some(2 << 20));
        assert_eq!(field("nothing of the kind", "MemTotal:"), None);
        let limit = "Max stack size  8 16 bytes\nMax address space    300 400  bytes \n";
        assert_eq!(address_space(limit), Some(300));
        assert_eq!(address_space("Max address space   unlimited  unlimited  bytes"), None);
        assert!(peak_bytes().is_none_or(|bytes| bytes > 1 << 20));
        assert!(default_bytes() > 1 << 20);
    }
}
