//! Workers: each answers one request after the other, and survives a panic in any of them.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crossbeam_channel::{Receiver, Sender};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{MessageType, ShowMessageParams, notification};
use serde::Serialize;

use crate::Host;
use crate::analysis::{Analysis, Cache, Subject};
use crate::checks::Checks;
use crate::snapshot::{Document, Snapshot, TextKind};

/// The reason why a request has no answer.
#[derive(Debug)]
pub enum Failure {
    Cancelled,
    /// The request cannot be carried out, and why. The editor shows it.
    Refused(String),
}

impl Failure {
    pub fn refused(reason: impl Into<String>) -> Failure {
        Failure::Refused(reason.into())
    }
}

/// Whether the client has taken a request back.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether somebody else may look at it still.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Ends the work where the request was taken back.
    pub fn check(&self) -> Result<(), Failure> {
        if self.is_cancelled() { Err(Failure::Cancelled) } else { Ok(()) }
    }
}

/// The client, as workers see it.
#[derive(Clone, Debug)]
pub struct Client {
    sender: Sender<Message>,
    /// Number of requests that were sent to the client.
    n_requests: Arc<AtomicU64>,
}

impl Client {
    pub fn new(sender: Sender<Message>) -> Client {
        Client { sender, n_requests: Arc::default() }
    }

    pub fn send(&self, message: Message) {
        // A client that is gone takes no answers: the main loop ends with it.
        let _ = self.sender.send(message);
    }

    pub fn notify<N: notification::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params).into());
    }

    /// Asks the client for something, and waits for no answer.
    pub fn request<R: lsp_types::request::Request>(&self, params: R::Params) {
        let number = self.n_requests.fetch_add(1, Ordering::Relaxed);
        let id = RequestId::from(format!("specline-{number}"));
        self.send(Request::new(id, R::METHOD.to_owned(), params).into());
    }

    pub fn show(&self, typ: MessageType, message: impl Into<String>) {
        let params = ShowMessageParams { typ, message: message.into() };
        self.notify::<notification::ShowMessage>(params);
    }
}

/// Everything that the answer to a request is made from.
#[derive(Clone)]
pub struct Context {
    pub snapshot: Arc<Snapshot>,
    pub cache: Arc<Cache>,
    pub checks: Arc<Checks>,
    pub client: Client,
    pub host: Arc<Host>,
    pub cancel: Cancel,
    /// The revision of the newest snapshot, which may not be this one.
    pub newest: Arc<AtomicU64>,
}

impl Context {
    pub fn is_outdated(&self) -> bool {
        self.newest.load(Ordering::Acquire) != self.snapshot.revision
    }

    pub fn document(&self, url: &lsp_types::Url) -> Result<Arc<Document>, Failure> {
        let document = self.snapshot.document(url).cloned();
        document.ok_or_else(|| Failure::refused(format!("`{url}` is not open")))
    }

    /// The analysis that tells what is in a document: of the module itself, or of the one that a configuration is for.
    pub fn analysis_of(&self, document: &Document) -> Option<Arc<Analysis>> {
        let subject = self.subject_of(document)?;
        Some(self.cache.analysis(&subject, &self.snapshot))
    }

    pub fn subject_of(&self, document: &Document) -> Option<Subject> {
        match document.kind {
            TextKind::Module => Some(Subject::of_module(&document.path, &self.snapshot)),
            TextKind::Config => {
                let root = crate::configs::module_of(&document.path, &self.snapshot)?;
                Some(Subject { root, config: Some(document.path.clone()) })
            }
            TextKind::Other => None,
        }
    }
}

/// The body of a job: returns the answer to a request, or the reason why there is none.
pub type Work = Box<dyn FnOnce(&Context) -> Result<serde_json::Value, Failure> + Send>;

/// A piece of work.
pub struct Job {
    pub context: Context,
    /// The request that it answers; none for messages that nobody asked for.
    pub id: Option<RequestId>,
    pub work: Work,
}

/// Makes the work of a request: its handler, with its parameters.
pub fn work<P: Send + 'static, T: Serialize + 'static>(
    params: P,
    handler: fn(&Context, P) -> Result<T, Failure>,
) -> Work {
    Box::new(move |context| {
        let answer = handler(context, params)?;
        serde_json::to_value(answer).map_err(|error| Failure::refused(error.to_string()))
    })
}

/// Does jobs until there are no more.
pub fn run(jobs: &Receiver<Job>) {
    for job in jobs {
        carry_out(job);
    }
}

/// Does one job, and answers it.
pub fn carry_out(job: Job) {
    let Job { context, id, work } = job;
    let answer = match context.cancel.check() {
        Ok(()) => panic::catch_unwind(AssertUnwindSafe(|| work(&context))),
        Err(failure) => Ok(Err(failure)),
    };
    let response = match (answer, id) {
        (Ok(Ok(value)), Some(id)) => Response::new_ok(id, value),
        (Ok(Err(Failure::Cancelled)), Some(id)) => {
            Response::new_err(id, ErrorCode::RequestCanceled as i32, "cancelled".to_owned())
        }
        (Ok(Err(Failure::Refused(reason))), Some(id)) => {
            Response::new_err(id, ErrorCode::RequestFailed as i32, reason)
        }
        (Ok(_), None) => return,
        (Err(panic), id) => {
            let text = report_panic(&context, panic.as_ref());
            let Some(id) = id else { return };
            Response::new_err(id, ErrorCode::InternalError as i32, text)
        }
    };
    context.client.send(response.into());
}

/// Says that we have made a mistake. The server goes on: nothing that a worker changes is left half changed.
fn report_panic(context: &Context, panic: &(dyn std::any::Any + Send)) -> String {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("(no message)");
    let text = format!(
        "a bug in specline {}: {said}. The server goes on; please report it with the text that was open",
        context.host.version
    );
    context.client.show(MessageType::ERROR, text.clone());
    text
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use lsp_server::Message;

    use super::{Cancel, Client, Context, Failure, Job, carry_out};
    use crate::Host;

    /// Does a job, and returns what the client gets.
    fn told(cancel: Cancel, work: fn() -> Result<serde_json::Value, Failure>) -> Vec<Message> {
        let (sender, messages) = crossbeam_channel::unbounded();
        let host = Host {
            program: PathBuf::from("none"),
            version: "7".to_owned(),
            temporary: PathBuf::from("none"),
        };
        let context = Context {
            snapshot: Arc::default(),
            cache: Arc::default(),
            checks: Arc::default(),
            client: Client::new(sender),
            host: Arc::new(host),
            cancel,
            newest: Arc::default(),
        };
        carry_out(Job { context, id: Some(1.into()), work: Box::new(move |_| work()) });
        messages.into_iter().collect()
    }

    fn code(message: &Message) -> Option<i32> {
        let Message::Response(response) = message else { return None };
        response.error.as_ref().map(|error| error.code)
    }

    #[test]
    fn a_panic_is_told_as_ours_and_the_next_job_is_done() {
        let found = told(Cancel::default(), || panic!("lost a scope"));
        let [Message::Notification(shown), answer] = found.as_slice() else { panic!("{found:?}") };
        let text = shown.params["message"].as_str().unwrap();
        assert!(text.contains("a bug in specline 7: lost a scope"), "{text}");
        assert_eq!(code(answer), Some(-32603));
        let found = told(Cancel::default(), || Ok(serde_json::json!(5)));
        assert!(matches!(found.as_slice(), [Message::Response(response)] if response.error.is_none()));
    }

    #[test]
    fn requests_that_were_taken_back_are_not_carried_out() {
        let cancel = Cancel::default();
        cancel.cancel();
        let found = told(cancel, || panic!("it is not done"));
        assert_eq!(found.iter().map(code).collect::<Vec<_>>(), [Some(-32800)]);
    }
}
