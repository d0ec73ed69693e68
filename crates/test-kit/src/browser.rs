//! A real browser for tests of pages: headless Chromium, driven by the DevTools protocol over a pipe.
//!
//! The browser is a child of the test, works in a folder of its own, uses no network, and is stopped with the value.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// The most messages before the answer to a question.
const MESSAGES_MAX: usize = 10_000;

/// A browser with one page open.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    n_asked: u64,
    /// Number of times that a page was loaded completely.
    n_loaded: u64,
    /// The errors that the page wrote to its console, and uncaught exceptions.
    pub errors: Vec<String>,
}

impl Browser {
    /// Starts Chromium with its profile in `folder` and opens the file `page`.
    ///
    /// # Panics
    /// When there is no Chromium, or it does not obey.
    pub fn open(page: &Path, folder: &Path) -> Browser {
        // The protocol uses the descriptors 3 and 4.
        let script = "exec chromium --headless --no-sandbox --disable-gpu --remote-debugging-pipe \
                      --no-first-run --disable-background-networking --user-data-dir=\"$1\" about:blank \
                      3<&0 4>&1 2>/dev/null";
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh"]).arg(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a shell can be started");
        let to = child.stdin.take().expect("its input is a pipe");
        let from = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        let mut browser =
            Browser { child, to, from, session: None, n_asked: 0, n_loaded: 0, errors: Vec::new() };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let wanted = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.ask("Target.attachToTarget", wanted);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.ask(domain, json!({}));
        }
        browser.visit(page);
        browser
    }

    /// Goes to a file.
    pub fn visit(&mut self, page: &Path) {
        let page = page.canonicalize().expect("the page was written");
        let n_loaded = self.n_loaded;
        let answer = self.ask("Page.navigate", json!({ "url": format!("file://{}", page.display()) }));
        assert_eq!(answer.get("errorText"), None, "{answer}");
        for _ in 0..MESSAGES_MAX {
            if self.n_loaded > n_loaded {
                return;
            }
            let message = self.read();
            self.note(&message);
        }
        panic!("{} is not loaded", page.display());
    }

    /// Evaluates an expression of JavaScript in the page.
    pub fn eval(&mut self, expression: &str) -> Value {
        let answer = self.ask("Runtime.evaluate", json!({ "expression": expression, "returnByValue": true }));
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Evaluates an expression until it has the expected value: a page may react to an event only after the event.
    #[track_caller]
    pub fn expect(&mut self, expression: &str, expected: &Value) {
        let mut seen = Value::Null;
        for _ in 0..MESSAGES_MAX {
            seen = self.eval(expression);
            if seen == *expected {
                return;
            }
        }
        panic!("{expression}: {seen}, not {expected}");
    }

    /// Waits until the page is drawn as it is now. A page that was never drawn is sent no keys and no clicks by
    /// Chromium, and a click on one that was scrolled goes to what was at its place before.
    fn wait_for_frame(&mut self) {
        let frames =
            "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))";
        let question = json!({ "expression": frames, "awaitPromise": true, "returnByValue": true });
        let answer = self.ask("Runtime.evaluate", question);
        assert_eq!(answer["result"]["value"], true, "{answer}");
    }

    /// Presses a key, as a person does.
    pub fn press(&mut self, key: &str) {
        self.wait_for_frame();
        let is_text = key.chars().count() == 1;
        let text = if is_text { key } else { "" };
        let kind = if is_text { "keyDown" } else { "rawKeyDown" };
        self.ask("Input.dispatchKeyEvent", json!({ "type": kind, "key": key, "text": text }));
        self.ask("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
    }

    /// Clicks in the middle of the first element that a selector finds, after scrolling to it.
    pub fn click(&mut self, selector: &str) {
        let selector = json!(selector);
        let place = format!(
            "(() => {{ const e = document.querySelector({selector}); e.scrollIntoView({{ block: 'center' }}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        // It is asked again for its place after the page has been drawn: images and tables may have moved it.
        self.eval(&place);
        self.wait_for_frame();
        let place = self.eval(&place);
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.ask("Input.dispatchMouseEvent", event);
        }
    }

    /// Sets the size of the window, and light or dark colours.
    pub fn look(&mut self, (width, height): (u32, u32), is_dark: bool) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", metrics);
        let scheme = if is_dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.ask("Emulation.setEmulatedMedia", features);
    }

    /// Shows the page as it is printed.
    pub fn print(&mut self) {
        self.ask("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.n_asked += 1;
        let mut question = json!({ "id": self.n_asked, "method": method, "params": params });
        if let Some(session) = &self.session {
            question["sessionId"] = json!(session);
        }
        let mut bytes = question.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser listens");
        for _ in 0..MESSAGES_MAX {
            let message = self.read();
            if message["id"] == json!(self.n_asked) {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.note(&message);
        }
        panic!("{method} has no answer");
    }

    fn read(&mut self) -> Value {
        let mut bytes = Vec::new();
        let n_read = self.from.read_until(0, &mut bytes).expect("the browser answers");
        assert!(n_read > 0, "the browser has ended: is Chromium installed? `cargo xtask test` installs it");
        bytes.pop();
        serde_json::from_slice(&bytes).expect("messages are JSON")
    }

    fn note(&mut self, message: &Value) {
        let params = &message["params"];
        self.n_loaded += u64::from(message["method"] == "Page.loadEventFired");
        let is_error = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => params["type"] == "error",
            Some("Log.entryAdded") => params["entry"]["level"] == "error",
            Some(_) | None => false,
        };
        if is_error {
            self.errors.push(params.to_string());
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It would also end by itself when its pipe does.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
