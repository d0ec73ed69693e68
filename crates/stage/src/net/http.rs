//! HTTP/1.1 on a connection: where requests, responses and chunks end.

use super::{First, Length};

const LINE_END: &[u8] = b"\r\n";
const HEAD_END: &[u8] = b"\r\n\r\n";

/// The body after the head of a request or a response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Body {
    /// So many bytes.
    Sized(u64),
    /// Chunks, which are messages of their own.
    Chunks,
    /// Everything until the connection ends.
    UntilEnd,
}

/// Finds the request or response at the beginning of `bytes`. Its body belongs to it unless it comes in chunks.
pub(super) fn first_message(bytes: &[u8]) -> First {
    let Some(head_len) = head_len(bytes) else { return First::Part(None) };
    match body(&bytes[..head_len]) {
        Body::Chunks => First::Whole(head_len),
        Body::Sized(n) => up_to(bytes, (head_len as u64).saturating_add(n)),
        Body::UntilEnd => First::Part(None),
    }
}

/// Whether chunks follow this message, which is a whole one.
pub(super) fn starts_chunks(message: &[u8]) -> bool {
    head_len(message).is_some_and(|len| body(&message[..len]) == Body::Chunks)
}

/// Finds the chunk at the beginning of `bytes`, with the line that says how long it is. The last one has no content, and ends with an
/// empty line.
pub(super) fn first_chunk(bytes: &[u8]) -> First {
    let Some(line_len) = find(bytes, LINE_END).map(|at| at + LINE_END.len()) else {
        return First::Part(None);
    };
    match chunk_len(bytes) {
        None => First::Part(None),
        Some(0) => {
            let last = find(&bytes[line_len - LINE_END.len()..], HEAD_END);
            last.map_or(First::Part(None), |at| First::Whole(line_len - LINE_END.len() + at + HEAD_END.len()))
        }
        Some(n) => up_to(bytes, n.saturating_add((line_len + LINE_END.len()) as u64)),
    }
}

/// Whether this chunk is the last one of its body.
pub(super) fn is_last_chunk(chunk: &[u8]) -> bool {
    chunk_len(chunk) == Some(0)
}

/// Divides a chunk whose content consists of messages with lengths. The line before the content goes with the first of them, the end
/// of the line after it with the last. Any other chunk is one message.
pub(super) fn divide_chunk(chunk: Vec<u8>, length: &Length) -> Vec<Vec<u8>> {
    let Some(ends) = message_ends(&chunk, length).filter(|ends| ends.len() > 1) else { return vec![chunk] };
    let mut rest = chunk;
    // From behind, so that each place counts from the beginning of what is left.
    let mut messages: Vec<Vec<u8>> =
        ends[..ends.len() - 1].iter().rev().map(|end| rest.split_off(*end)).collect();
    messages.push(rest);
    messages.reverse();
    messages
}

/// Returns where the messages in a chunk end; `None` if its content does not consist of whole ones.
fn message_ends(chunk: &[u8], length: &Length) -> Option<Vec<usize>> {
    let begin = find(chunk, LINE_END)? + LINE_END.len();
    let end = chunk.len().checked_sub(LINE_END.len()).filter(|end| *end > begin)?;
    let (mut at, mut ends) = (begin, Vec::new());
    while at < end {
        let len = usize::try_from(length.read(&chunk[at..end])?).ok()?;
        at = at.checked_add(len).filter(|at| *at <= end)?;
        ends.push(at);
    }
    Some(ends)
}

fn up_to(bytes: &[u8], len: u64) -> First {
    match usize::try_from(len) {
        Ok(len) if len <= bytes.len() => First::Whole(len),
        Ok(_) | Err(_) => First::Part(Some(len)),
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn head_len(bytes: &[u8]) -> Option<usize> {
    find(bytes, HEAD_END).map(|at| at + HEAD_END.len())
}

/// Returns the length of a chunk's content; extensions after it do not matter.
fn chunk_len(chunk: &[u8]) -> Option<u64> {
    let line = std::str::from_utf8(&chunk[..find(chunk, LINE_END)?]).ok()?;
    let digits = line.split(';').next().unwrap_or_default().trim();
    u64::from_str_radix(digits, 16).ok()
}

/// Reads in a head what follows it.
fn body(head: &[u8]) -> Body {
    let head = String::from_utf8_lossy(head);
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap_or_default().strip_prefix("HTTP/").map(|rest| {
        let code = rest.split_whitespace().nth(1).unwrap_or_default();
        code.parse::<u16>().unwrap_or_default()
    });
    // These responses never have a body, whatever their heads say.
    if matches!(status, Some(100..=199 | 204 | 304)) {
        return Body::Sized(0);
    }
    let fields: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
    let value = |name: &str| {
        let mut of_name = fields.iter().filter(|(field, _)| field.trim().eq_ignore_ascii_case(name));
        of_name.next().map(|(_, value)| value.trim())
    };
    let is_chunked = |encodings: &str| encodings.to_ascii_lowercase().ends_with("chunked");
    if value("Transfer-Encoding").is_some_and(is_chunked) {
        return Body::Chunks;
    }
    match value("Content-Length").and_then(|length| length.parse().ok()) {
        Some(n) => Body::Sized(n),
        // A request without a length has no body.
        None if status.is_none() => Body::Sized(0),
        None => Body::UntilEnd,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{First, Length, Rule};

    const HTTP: Rule = Rule::Http(None);

    #[track_caller]
    fn check(bytes: &[u8], expected: First) {
        assert_eq!(HTTP.first(bytes, false), expected);
    }

    #[test]
    fn a_request_ends_with_its_body() {
        check(b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET", First::Whole(27));
        check(b"GET / HTTP/1.1\r\nHost", First::Part(None));
        check(b"POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcd", First::Whole(41));
        check(b"POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\na", First::Part(Some(41)));
        check(
            b"POST / HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\n",
            First::Part(Some(u64::MAX)),
        );
    }

    #[test]
    fn a_response_has_a_body_or_none() {
        check(b"HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\nHTTP", First::Whole(46));
        check(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP", First::Whole(40));
        // It lasts until the connection ends.
        check(b"HTTP/1.0 200 OK\r\n\r\nsome text", First::Part(None));
    }

    #[test]
    fn chunks_are_messages_of_their_own() {
        let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n";
        check(head, First::Whole(head.len()));
        assert!(HTTP.has_run_after(head, false));
        let in_chunks = |bytes: &[u8]| HTTP.first(bytes, true);
        assert_eq!(in_chunks(b"a;x=y\r\n0123456789\r\n3\r\n"), First::Whole(19));
        assert_eq!(in_chunks(b"a\r\n0123"), First::Part(Some(15)));
        assert_eq!(in_chunks(b"a"), First::Part(None));
        assert_eq!(in_chunks(b"no number\r\n"), First::Part(None));
        assert!(HTTP.has_run_after(b"1\r\n0\r\n", true));
        assert_eq!(in_chunks(b"0\r\n\r\nHTTP"), First::Whole(5));
        assert_eq!(in_chunks(b"0\r\nDate: today\r\n\r\nHTTP"), First::Whole(18));
        assert_eq!(in_chunks(b"0\r\n"), First::Part(None));
        assert!(!HTTP.has_run_after(b"0\r\n\r\n", true));
    }

    #[test]
    fn a_chunk_with_messages_is_divided() {
        let http = Rule::Http(Some(Length { width: 1, ..Length::default() }));
        let divide = |chunk: &[u8]| http.divide(chunk.to_vec(), true);
        assert_eq!(divide(b"7\r\n\x01a\x00\x03bcd\r\n"), [&b"7\r\n\x01a"[..], b"\x00", b"\x03bcd\r\n"]);
        for whole in [&b"2\r\n\x01a\r\n"[..], b"3\r\n\x01ab\r\n", b"3\r\n\x05ab\r\n", b"0\r\n\r\n"] {
            assert_eq!(divide(whole), [whole]);
        }
        assert_eq!(http.divide(b"2\r\n\x00\x00\r\n".to_vec(), false).len(), 1, "that is no chunk");
    }
}
