//! HTTP/1.1 as far as messages travel in it: heads, and bodies with a length, in chunks, or up to the end of the connection.

use crate::buffer::Buffer;

/// The longest head.
const HEAD_BYTES_MAX: usize = 64 << 10;
/// The longest line between chunks.
const LINE_BYTES_MAX: usize = 4 << 10;
/// The most fields of a head.
const FIELDS_MAX: usize = 100;

/// The head of a request or of a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Empty in a response.
    pub method: String,
    pub path: String,
    /// 0 in a request.
    pub status: u16,
    fields: Vec<(String, String)>,
}

impl Head {
    /// Returns the value of a field; upper and lower case are the same.
    pub fn field(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    fn is_chunked(&self) -> bool {
        self.field("transfer-encoding").is_some_and(|value| value.to_ascii_lowercase().contains("chunked"))
    }
}

/// A piece of one side's stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Head(Head),
    /// A piece of a body, of any size.
    Body(Vec<u8>),
    /// The end of a request or a response.
    End,
}

/// The kind of traffic that one side sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sends {
    Requests,
    Responses,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Head,
    Length(u64),
    ChunkSize,
    Chunk(u64),
    ChunkEnd,
    Trailers,
    UntilClose,
}

/// Reads the stream of one side.
#[derive(Debug)]
pub struct HttpReader {
    sends: Sends,
    buffer: Buffer,
    state: State,
}

/// Why bytes are no HTTP.
pub type NoHttp = &'static str;

impl HttpReader {
    pub fn new(sends: Sends) -> HttpReader {
        HttpReader { sends, buffer: Buffer::default(), state: State::Head }
    }

    /// A reader of a stream that is within a body in chunks, before a chunk.
    pub fn at_chunk(sends: Sends) -> HttpReader {
        HttpReader { sends, buffer: Buffer::default(), state: State::ChunkSize }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.push(bytes);
    }

    /// Returns the bytes that were not read yet.
    pub fn rest(&self) -> &[u8] {
        self.buffer.rest()
    }

    /// Whether the next thing is a head.
    pub fn is_before_head(&self) -> bool {
        self.state == State::Head
    }

    /// Whether what was read so far are whole requests or responses.
    pub fn is_between(&self) -> bool {
        self.state == State::Head && self.buffer.is_empty()
    }

    /// Whether the stream ends properly here.
    pub fn may_end(&self) -> bool {
        self.is_between() || self.state == State::UntilClose
    }

    /// Returns the next part, if it is there. `is_bodyless` says that a response has no body whatever its head says, as the answer to HEAD.
    pub fn next(&mut self, is_bodyless: bool) -> Result<Option<Part>, NoHttp> {
        match self.state {
            State::Head => self.head(is_bodyless),
            State::Length(0) => {
                self.state = State::Head;
                Ok(Some(Part::End))
            }
            State::Length(n) => Ok(self.body(n, State::Length)),
            State::Chunk(0) => {
                self.state = State::ChunkEnd;
                self.next(is_bodyless)
            }
            State::Chunk(n) => Ok(self.body(n, State::Chunk)),
            State::UntilClose => Ok(self.body(u64::MAX, |_| State::UntilClose)),
            State::ChunkSize => self.chunk_size(),
            State::ChunkEnd => match self.line()? {
                None => Ok(None),
                Some(line) if line.is_empty() => {
                    self.state = State::ChunkSize;
                    self.chunk_size()
                }
                Some(_) => Err("a chunk is longer than its length"),
            },
            State::Trailers => self.trailers(),
        }
    }

    fn body(&mut self, n: u64, left: impl FnOnce(u64) -> State) -> Option<Part> {
        if self.buffer.is_empty() {
            return None;
        }
        let taken = self.buffer.take(usize::try_from(n).unwrap_or(usize::MAX));
        self.state = left(n - taken.len() as u64);
        Some(Part::Body(taken))
    }

    /// Reads a line without its end.
    fn line(&mut self) -> Result<Option<Vec<u8>>, NoHttp> {
        let rest = self.buffer.rest();
        let Some(end) = rest.iter().take(LINE_BYTES_MAX).position(|byte| *byte == b'\n') else {
            let is_long = rest.len() >= LINE_BYTES_MAX;
            return if is_long { Err("a line between chunks does not end") } else { Ok(None) };
        };
        let line = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]).to_vec();
        self.buffer.consume(end + 1);
        Ok(Some(line))
    }

    fn chunk_size(&mut self) -> Result<Option<Part>, NoHttp> {
        let Some(line) = self.line()? else { return Ok(None) };
        let digits = line.split(|byte| *byte == b';').next().unwrap_or_default();
        let size = std::str::from_utf8(digits).ok().filter(|text| !text.starts_with('+'));
        let size = size.and_then(|text| u64::from_str_radix(text.trim(), 16).ok());
        match size.ok_or("a chunk has no length")? {
            0 => {
                self.state = State::Trailers;
                self.trailers()
            }
            n => {
                self.state = State::Chunk(n);
                Ok(self.body(n, State::Chunk))
            }
        }
    }

    fn trailers(&mut self) -> Result<Option<Part>, NoHttp> {
        while let Some(line) = self.line()? {
            if line.is_empty() {
                self.state = State::Head;
                return Ok(Some(Part::End));
            }
        }
        Ok(None)
    }

    fn head(&mut self, is_bodyless: bool) -> Result<Option<Part>, NoHttp> {
        if self.buffer.is_empty() {
            return Ok(None);
        }
        let parsed = match self.sends {
            Sends::Requests => parse_request(self.buffer.rest()),
            Sends::Responses => parse_response(self.buffer.rest()),
        };
        match parsed? {
            None if self.buffer.len() > HEAD_BYTES_MAX => Err("a head does not end"),
            None => Ok(None),
            Some((n, head)) => {
                self.buffer.consume(n);
                self.state = after_head(self.sends, &head, is_bodyless)?;
                Ok(Some(Part::Head(head)))
            }
        }
    }
}

/// Says what comes after a head.
fn after_head(sends: Sends, head: &Head, is_bodyless: bool) -> Result<State, NoHttp> {
    let has_none = is_bodyless || matches!(head.status, 100 | 102..200 | 204 | 304);
    if has_none {
        return Ok(State::Length(0));
    }
    if head.status == 101 {
        return Ok(State::UntilClose);
    }
    if head.is_chunked() {
        return Ok(State::ChunkSize);
    }
    match (head.field("content-length"), sends) {
        (Some(length), _) => match length.trim().parse() {
            Ok(n) => Ok(State::Length(n)),
            Err(_) => Err("a length of a body is no number"),
        },
        (None, Sends::Requests) => Ok(State::Length(0)),
        (None, Sends::Responses) => Ok(State::UntilClose),
    }
}

type Parsed = Result<Option<(usize, Head)>, NoHttp>;

fn fields(fields: &[httparse::Header<'_>]) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    fields.iter().map(|field| (field.name.to_owned(), text(field.value))).collect()
}

fn parse_request(bytes: &[u8]) -> Parsed {
    let mut space = [httparse::EMPTY_HEADER; FIELDS_MAX];
    let mut request = httparse::Request::new(&mut space);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(n)) => {
            let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
            let (method, path) = (text(request.method), text(request.path));
            Ok(Some((n, Head { method, path, status: 0, fields: fields(request.headers) })))
        }
        Ok(httparse::Status::Partial) => Ok(None),
        Err(_) => Err("this is no head of a request"),
    }
}

fn parse_response(bytes: &[u8]) -> Parsed {
    let mut space = [httparse::EMPTY_HEADER; FIELDS_MAX];
    let mut response = httparse::Response::new(&mut space);
    match response.parse(bytes) {
        Ok(httparse::Status::Complete(n)) => {
            let status = response.code.unwrap_or_default();
            Ok(Some((n, Head { status, fields: fields(response.headers), ..Head::default() })))
        }
        Ok(httparse::Status::Partial) => Ok(None),
        Err(_) => Err("this is no head of a response"),
    }
}

#[cfg(test)]
mod tests {
    use super::{HttpReader, NoHttp, Part, Sends};

    /// Reads a stream in pieces of a size; joins the pieces of a body.
    fn read(sends: Sends, bytes: &[u8], piece: usize) -> Result<Vec<String>, NoHttp> {
        let mut reader = HttpReader::new(sends);
        let mut lines: Vec<String> = Vec::new();
        for bytes in bytes.chunks(piece) {
            reader.push(bytes);
            while let Some(part) = reader.next(false)? {
                match part {
                    Part::Head(head) => lines.push(format!("{}{} {}", head.method, head.status, head.path)),
                    Part::Body(body) => {
                        let text = String::from_utf8(body).unwrap();
                        match lines.last_mut() {
                            Some(last) if last.starts_with('=') => last.push_str(&text),
                            _ => lines.push(format!("={text}")),
                        }
                    }
                    Part::End => lines.push("end".to_owned()),
                }
            }
        }
        Ok(lines)
    }

    #[test]
    fn pieces_of_any_size_give_the_same_parts() {
        let requests = b"POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nxyzGET /b HTTP/1.1\r\nHost: h\r\n\r\n";
        let responses = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nT: x\r\n\r\n\
            HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n\r\nrest";
        for piece in 1..requests.len() {
            let lines = read(Sends::Requests, requests, piece).unwrap();
            assert_eq!(lines, ["POST0 /a", "=xyz", "end", "GET0 /b", "end"], "{piece}");
        }
        for piece in 1..responses.len() {
            let lines = read(Sends::Responses, responses, piece).unwrap();
            let all = ["200 ", "=abc0123456789", "end", "100 ", "end", "204 ", "end", "200 ", "=rest"];
            assert_eq!(lines, all, "{piece}");
        }
    }

    #[test]
    fn what_is_no_http_is_refused() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (body, told) in [
            ("zz\r\n", "a chunk has no length"),
            ("+1\r\n", "a chunk has no length"),
            ("1\r\nabc\r\n", "a chunk is longer than its length"),
        ] {
            assert_eq!(read(Sends::Responses, format!("{head}{body}").as_bytes(), 7), Err(told));
        }
        assert!(read(Sends::Requests, b"\x16\x03\x01\x00", 4).is_err());
        let endless = "a".repeat(100_000);
        let told = read(Sends::Requests, format!("GET / HTTP/1.1\r\nX: {endless}").as_bytes(), 1000);
        assert_eq!(told, Err("a head does not end"));
    }
}
