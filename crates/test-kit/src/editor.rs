//! An editor for tests of the language server: it starts the real program and talks to it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use base::FxIndexMap;
use serde_json::{Value, json};

/// How long an answer may take before the test is given up.
const ANSWER_MAX: Duration = Duration::from_secs(60);

/// A client of a server, which runs as a process.
#[derive(Debug)]
pub struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    n_requests: i64,
    /// The newest messages about each text, by address, with the version that they are about.
    pub published: FxIndexMap<String, (Option<i64>, Vec<Value>)>,
    /// Texts that the server showed.
    pub shown: Vec<String>,
    /// Changes that the server asked for.
    pub applied: Vec<Value>,
    /// The abilities of the server.
    pub abilities: Value,
}

/// The address of a file.
pub fn address(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    let encoded: String = absolute
        .to_str()
        .unwrap()
        .bytes()
        .map(|byte| if plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") })
        .collect();
    format!("file://{encoded}")
}

impl Editor {
    /// Starts `program lsp` for these folders. Positions are in bytes unless `encoding` says otherwise.
    pub fn start(program: &Path, folders: &[&Path], encoding: &str) -> Editor {
        let mut child = Command::new(program)
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let output = child.stdout.take().unwrap();
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        let mut editor = Editor {
            child,
            input,
            messages,
            n_requests: 0,
            published: FxIndexMap::default(),
            shown: Vec::new(),
            applied: Vec::new(),
            abilities: Value::Null,
        };
        let folders: Vec<Value> =
            folders.iter().map(|folder| json!({ "uri": address(folder), "name": "folder" })).collect();
        let answer = editor.request(
            "initialize",
            json!({
                "processId": null, "rootUri": null, "workspaceFolders": folders,
                "capabilities": {
                    "general": { "positionEncodings": [encoding] },
                    "textDocument": {
                        "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
                        "completion": { "completionItem": { "snippetSupport": true, "labelDetailsSupport": true } },
                    },
                    "workspace": { "codeLens": { "refreshSupport": true }, "applyEdit": true },
                    "window": { "workDoneProgress": true },
                },
            }),
        );
        editor.abilities = answer.unwrap();
        editor.notify("initialized", json!({}));
        editor
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and does not wait for its answer. Returns its number.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.n_requests += 1;
        let id = self.n_requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Sends a request and waits for its answer: a result, or an error.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// Waits for the answer to a request.
    pub fn answer(&mut self, id: i64) -> Result<Value, Value> {
        loop {
            let message = self.next();
            if message["id"] == json!(id) && message.get("method").is_none() {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
            self.take_in(message);
        }
    }

    pub fn open(&mut self, path: &Path, text: &str) {
        let kind = path.extension().map_or("", |ending| ending.to_str().unwrap());
        let document = json!({ "uri": address(path), "languageId": kind, "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces the whole text.
    pub fn replace(&mut self, path: &Path, version: i64, text: &str) {
        self.change(path, version, json!([{ "text": text }]));
    }

    pub fn change(&mut self, path: &Path, version: i64, changes: Value) {
        let document = json!({ "uri": address(path), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    pub fn close(&mut self, path: &Path) {
        let params = json!({ "textDocument": { "uri": address(path) } });
        self.notify("textDocument/didClose", params);
    }

    /// Waits until there are messages about this version of a text, and returns them. Versions that are overtaken by others
    /// get none.
    pub fn messages_about(&mut self, path: &Path, version: i64) -> Vec<Value> {
        let address = address(path);
        loop {
            if let Some((Some(known), messages)) = self.published.get(&address)
                && *known == version
            {
                return messages.clone();
            }
            let message = self.next();
            self.take_in(message);
        }
    }

    /// The memory of the server in bytes.
    pub fn resident_bytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    }

    /// Ends the session as an editor does. Whatever happened before, the server must end well.
    pub fn finish(mut self) {
        self.request("shutdown", Value::Null).unwrap();
        self.notify("exit", Value::Null);
        self.input = None;
        let ended = self.child.wait().unwrap();
        assert!(ended.success(), "the server ends with {ended}");
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    fn next(&mut self) -> Value {
        self.messages.recv_timeout(ANSWER_MAX).expect("the server answers in time")
    }

    /// Takes in a message that is no answer, and answers what the server asks.
    fn take_in(&mut self, message: Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => {
                let about = params["uri"].as_str().unwrap().to_owned();
                let diagnostics = params["diagnostics"].as_array().unwrap().clone();
                self.published.insert(about, (params["version"].as_i64(), diagnostics));
            }
            Some("window/showMessage") => self.shown.push(params["message"].as_str().unwrap().to_owned()),
            Some("workspace/applyEdit") => self.applied.push(params["edit"].clone()),
            Some(_) | None => {}
        }
        if let (Some(id), Some(_)) = (message.get("id"), message.get("method")) {
            self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": null }));
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // A test that failed leaves nothing behind. A server that ended already cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_message(input: &mut impl BufRead) -> Option<Value> {
    let mut n_bytes = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some(length) = line.strip_prefix("Content-Length: ") {
            n_bytes = length.parse().ok()?;
        }
    }
    let mut body = vec![0; n_bytes];
    input.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
