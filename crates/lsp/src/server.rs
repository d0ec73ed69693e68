//! The main loop: reads messages, keeps the open texts, and hands everything else to workers.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::FxHashMap;
use crossbeam_channel::Sender;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self as note, Notification as _};
use lsp_types::request::{self as req, Request as _};
use lsp_types::{InitializeParams, WorkDoneProgressCancelParams};
use serde::de::DeserializeOwned;

use crate::analysis::Cache;
use crate::checks::{self, Checks};
use crate::diagnostics::{self, Published};
use crate::lines::Encoding;
use crate::snapshot::{ClientAbilities, Document, Snapshot, path_of};
use crate::worker::{self, Cancel, Client, Context, Failure, Job, Work};
use crate::{
    Host, actions, completion, folding, formatting, hover, lenses, library, navigation, rename, symbols,
    tokens,
};

/// The reason why a server ended early.
#[derive(Debug)]
pub enum ServeError {
    /// The client did not keep to the protocol.
    Protocol(String),
    /// Threads could not be started.
    Threads(std::io::Error),
}

impl std::fmt::Display for ServeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ServeError::Protocol(reason) => write!(f, "the editor did not keep to the protocol: {reason}"),
            ServeError::Threads(error) => write!(f, "a thread could not be started: {error}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// Stack of each worker: the front end recurses as deep as expressions are, and adds more where that is not enough.
const STACK_BYTES: usize = 16 << 20;

/// Serves one client until it says `exit`, or closes the connection.
pub fn serve(connection: &Connection, host: &Host) -> Result<(), ServeError> {
    let (id, params) =
        connection.initialize_start().map_err(|error| ServeError::Protocol(error.to_string()))?;
    let params: InitializeParams = match serde_json::from_value(params) {
        Ok(params) => params,
        Err(error) => {
            let wrong = Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string());
            let _ = connection.sender.send(wrong.into());
            return Err(ServeError::Protocol(error.to_string()));
        }
    };
    let snapshot = first_snapshot(&params, host);
    let answer = serde_json::json!({
        "capabilities": abilities(snapshot.encoding),
        "serverInfo": { "name": "specline", "version": host.version },
    });
    connection.initialize_finish(id, answer).map_err(|error| ServeError::Protocol(error.to_string()))?;

    let (urgent, urgent_jobs) = crossbeam_channel::unbounded();
    let (wide, wide_jobs) = crossbeam_channel::unbounded();
    let context = Context {
        snapshot: Arc::new(snapshot),
        cache: Arc::new(Cache::default()),
        checks: Arc::new(Checks::default()),
        client: Client::new(connection.sender.clone()),
        host: Arc::new(host.clone()),
        cancel: Cancel::default(),
        newest: Arc::new(AtomicU64::new(0)),
    };
    let ended = std::thread::scope(|scope| {
        for jobs in [&urgent_jobs, &wide_jobs] {
            base::try_spawn_deep(scope, STACK_BYTES, move || worker::run(jobs))
                .map_err(ServeError::Threads)?;
        }
        let mut server = Server {
            context: context.clone(),
            urgent,
            wide,
            pending: FxHashMap::default(),
            published: Arc::default(),
            n_stamps: 0,
        };
        server.begin();
        let ended = server.listen(connection);
        context.checks.stop_all();
        // Dropping the server closes the queues, so the workers end, and so do checks, which were stopped.
        drop(server);
        ended
    });
    // Pages and traces belong to the session.
    let _ = std::fs::remove_dir_all(&host.temporary);
    ended
}

fn first_snapshot(params: &InitializeParams, host: &Host) -> Snapshot {
    let folders = params.workspace_folders.iter().flatten().map(|folder| path_of(&folder.uri));
    let mut folders: Vec<PathBuf> = folders.collect();
    #[expect(deprecated, reason = "editors that know no folders send this")]
    if folders.is_empty()
        && let Some(root) = &params.root_uri
    {
        folders.push(path_of(root));
    }
    let options = params.initialization_options.as_ref();
    let libraries = options.and_then(|options| options.get("libraries")?.as_array());
    let libraries = libraries.into_iter().flatten().filter_map(|path| path.as_str().map(PathBuf::from));
    let general = params.capabilities.general.as_ref();
    let encoding = Encoding::choose(general.and_then(|general| general.position_encodings.as_deref()));
    Snapshot {
        folders,
        libraries: libraries.collect(),
        encoding,
        abilities: client_abilities(params),
        embedded_folder: Some(host.temporary.join("modules")),
        ..Snapshot::default()
    }
}

fn client_abilities(params: &InitializeParams) -> ClientAbilities {
    let text = params.capabilities.text_document.as_ref();
    let workspace = params.capabilities.workspace.as_ref();
    let item = text.and_then(|text| text.completion.as_ref()?.completion_item.as_ref());
    let symbols = text.and_then(|text| text.document_symbol.as_ref());
    ClientAbilities {
        snippets: item.and_then(|item| item.snippet_support).unwrap_or(false),
        label_details: item.and_then(|item| item.label_details_support).unwrap_or(false),
        hierarchical_symbols: symbols
            .and_then(|symbols| symbols.hierarchical_document_symbol_support)
            .unwrap_or(false),
        progress: params
            .capabilities
            .window
            .as_ref()
            .and_then(|window| window.work_done_progress)
            .unwrap_or(false),
        lens_refresh: workspace
            .and_then(|workspace| workspace.code_lens.as_ref()?.refresh_support)
            .unwrap_or(false),
        watches_files: workspace
            .and_then(|workspace| workspace.did_change_watched_files.as_ref()?.dynamic_registration)
            .unwrap_or(false),
    }
}

/// The abilities of the server, as the protocol lists them.
pub fn abilities(encoding: Encoding) -> serde_json::Value {
    serde_json::json!({
        "positionEncoding": encoding.kind(),
        "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "completionProvider": { "triggerCharacters": ["!", "\\", "."], "resolveProvider": true },
        "foldingRangeProvider": true,
        "semanticTokensProvider": { "legend": tokens::legend(), "full": true, "range": true },
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix", "source"] },
        "codeLensProvider": { "resolveProvider": false },
        "executeCommandProvider": { "commands": [checks::CHECK, checks::TRANSLATE], "workDoneProgress": true },
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
    })
}

/// The kind of worker that a request needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    /// For requests whose answer a person waits for while typing.
    Urgent,
    /// For requests about many files.
    Wide,
    /// For checks of models, each on a thread of its own.
    Long,
}

struct Server {
    context: Context,
    urgent: Sender<Job>,
    wide: Sender<Job>,
    /// Requests without an answer so far, to be cancelled.
    pending: FxHashMap<RequestId, Cancel>,
    published: Arc<std::sync::Mutex<Published>>,
    n_stamps: u64,
}

impl Server {
    fn begin(&mut self) {
        if self.context.snapshot.abilities.watches_files {
            let watchers = serde_json::json!({ "registrations": [{
                "id": "specline-files", "method": note::DidChangeWatchedFiles::METHOD,
                "registerOptions": { "watchers": [{ "globPattern": "**/*.{tla,cfg}" }] },
            }]});
            if let Ok(params) = serde_json::from_value(watchers) {
                self.context.client.request::<req::RegisterCapability>(params);
            }
        }
    }

    fn listen(&mut self, connection: &Connection) -> Result<(), ServeError> {
        for message in &connection.receiver {
            match message {
                Message::Request(request) => {
                    let is_last = connection
                        .handle_shutdown(&request)
                        .map_err(|error| ServeError::Protocol(error.to_string()))?;
                    if is_last {
                        return Ok(());
                    }
                    self.request(request);
                }
                Message::Notification(notification) if notification.method == note::Exit::METHOD => {
                    return Ok(());
                }
                Message::Notification(notification) => self.notification(notification),
                Message::Response(_) => {}
            }
        }
        Ok(())
    }

    fn request(&mut self, request: Request) {
        // Those that were answered are of no use any more.
        self.pending.retain(|_, cancel| cancel.is_shared());
        let id = request.id.clone();
        let Some((lane, work)) = find_work(&request) else {
            let text = format!("`{}` is not one of the requests that are answered here", request.method);
            let wrong = Response::new_err(id, ErrorCode::MethodNotFound as i32, text);
            return self.context.client.send(wrong.into());
        };
        let work = match work {
            Ok(work) => work,
            Err(error) => {
                let wrong = Response::new_err(id, ErrorCode::InvalidParams as i32, error);
                return self.context.client.send(wrong.into());
            }
        };
        let cancel = Cancel::default();
        self.pending.insert(id.clone(), cancel.clone());
        let context = Context { cancel, ..self.context.clone() };
        let job = Job { context, id: Some(id), work };
        match lane {
            Lane::Urgent => drop(self.urgent.send(job)),
            Lane::Wide => drop(self.wide.send(job)),
            Lane::Long => {
                let started = std::thread::Builder::new().spawn(move || worker::carry_out(job));
                if let Err(error) = started {
                    let text = format!("a thread could not be started: {error}");
                    self.context.client.show(lsp_types::MessageType::ERROR, text);
                }
            }
        }
    }

    fn notification(&mut self, notification: Notification) {
        let method = notification.method.clone();
        match method.as_str() {
            note::DidOpenTextDocument::METHOD => self.with(notification, Self::open),
            note::DidChangeTextDocument::METHOD => self.with(notification, Self::change),
            note::DidCloseTextDocument::METHOD => self.with(notification, Self::close),
            note::DidSaveTextDocument::METHOD | note::DidChangeWatchedFiles::METHOD => self.changed(None),
            note::DidChangeWorkspaceFolders::METHOD => self.with(notification, Self::change_folders),
            note::Cancel::METHOD => self.with(notification, Self::cancel),
            note::WorkDoneProgressCancel::METHOD => self.with(notification, Self::cancel_progress),
            _ => {}
        }
    }

    /// Reads the parameters of a notification. There is no answer in which to say that they cannot be read.
    fn with<P: DeserializeOwned>(&mut self, notification: Notification, handler: fn(&mut Self, P)) {
        if let Ok(params) = serde_json::from_value(notification.params) {
            handler(self, params);
        }
    }

    fn next_stamp(&mut self) -> u64 {
        self.n_stamps += 1;
        self.n_stamps
    }

    fn open(&mut self, params: lsp_types::DidOpenTextDocumentParams) {
        let item = params.text_document;
        let stamp = self.next_stamp();
        let encoding = self.context.snapshot.encoding;
        let document = Document::new(item.uri, item.text.into(), (item.version, stamp), encoding);
        let path = document.path.clone();
        let snapshot = Arc::make_mut(&mut self.context.snapshot);
        snapshot.documents.insert(path.clone(), Arc::new(document));
        self.changed(Some(path));
    }

    fn change(&mut self, params: lsp_types::DidChangeTextDocumentParams) {
        let path = path_of(&params.text_document.uri);
        let stamp = self.next_stamp();
        let snapshot = Arc::make_mut(&mut self.context.snapshot);
        let encoding = snapshot.encoding;
        let Some(document) = snapshot.documents.get_mut(&path) else { return };
        let version = params.text_document.version;
        *document = Arc::new(document.change(params.content_changes, version, (stamp, encoding)));
        self.changed(Some(path));
    }

    fn close(&mut self, params: lsp_types::DidCloseTextDocumentParams) {
        let path = path_of(&params.text_document.uri);
        Arc::make_mut(&mut self.context.snapshot).documents.shift_remove(&path);
        self.changed(Some(path));
    }

    fn change_folders(&mut self, params: lsp_types::DidChangeWorkspaceFoldersParams) {
        let snapshot = Arc::make_mut(&mut self.context.snapshot);
        let path = |folder: &lsp_types::WorkspaceFolder| path_of(&folder.uri);
        let removed: Vec<PathBuf> = params.event.removed.iter().map(path).collect();
        snapshot.folders.retain(|folder| !removed.contains(folder));
        snapshot.folders.extend(params.event.added.iter().map(path));
        self.changed(None);
    }

    fn cancel(&mut self, params: lsp_types::CancelParams) {
        let id = match params.id {
            lsp_types::NumberOrString::Number(number) => RequestId::from(number),
            lsp_types::NumberOrString::String(text) => RequestId::from(text),
        };
        if let Some(cancel) = self.pending.remove(&id) {
            cancel.cancel();
            self.context.checks.wake();
        }
    }

    fn cancel_progress(&mut self, params: WorkDoneProgressCancelParams) {
        self.context.checks.stop(&params.token);
    }

    /// Has messages made for all open texts, the one that changed first.
    fn changed(&mut self, first: Option<PathBuf>) {
        let snapshot = Arc::make_mut(&mut self.context.snapshot);
        snapshot.revision += 1;
        self.context.newest.store(snapshot.revision, Ordering::Release);
        let published = Arc::clone(&self.published);
        let context = Context { cancel: Cancel::default(), ..self.context.clone() };
        let job = Job {
            context,
            id: None,
            work: Box::new(move |context| {
                diagnostics::publish(context, &published, first.as_deref());
                Ok(serde_json::Value::Null)
            }),
        };
        drop(self.urgent.send(job));
    }
}

/// Finds the handler of a request, and reads its parameters. `None` if there is none.
fn find_work(request: &Request) -> Option<(Lane, Result<Work, String>)> {
    fn on<R>(
        request: &Request,
        lane: Lane,
        handler: fn(&Context, R::Params) -> Result<R::Result, Failure>,
    ) -> Option<(Lane, Result<Work, String>)>
    where
        R: req::Request,
        R::Params: Send + 'static,
        R::Result: 'static,
    {
        let params = serde_json::from_value::<R::Params>(request.params.clone());
        Some((lane, params.map(|params| worker::work(params, handler)).map_err(|error| error.to_string())))
    }
    let (urgent, wide, long) = (Lane::Urgent, Lane::Wide, Lane::Long);
    match request.method.as_str() {
        req::HoverRequest::METHOD => on::<req::HoverRequest>(request, urgent, hover::hover),
        req::GotoDefinition::METHOD => on::<req::GotoDefinition>(request, urgent, navigation::definition),
        req::DocumentHighlightRequest::METHOD => {
            on::<req::DocumentHighlightRequest>(request, urgent, navigation::highlights)
        }
        req::References::METHOD => on::<req::References>(request, wide, navigation::references),
        req::PrepareRenameRequest::METHOD => {
            on::<req::PrepareRenameRequest>(request, urgent, rename::prepare)
        }
        req::Rename::METHOD => on::<req::Rename>(request, wide, rename::rename),
        req::DocumentSymbolRequest::METHOD => {
            on::<req::DocumentSymbolRequest>(request, urgent, symbols::document)
        }
        req::WorkspaceSymbolRequest::METHOD => {
            on::<req::WorkspaceSymbolRequest>(request, wide, symbols::workspace)
        }
        req::Completion::METHOD => on::<req::Completion>(request, urgent, completion::complete),
        req::ResolveCompletionItem::METHOD => {
            on::<req::ResolveCompletionItem>(request, urgent, library::resolve)
        }
        req::FoldingRangeRequest::METHOD => on::<req::FoldingRangeRequest>(request, urgent, folding::ranges),
        req::SemanticTokensFullRequest::METHOD => {
            on::<req::SemanticTokensFullRequest>(request, urgent, tokens::full)
        }
        req::SemanticTokensRangeRequest::METHOD => {
            on::<req::SemanticTokensRangeRequest>(request, urgent, tokens::range)
        }
        req::Formatting::METHOD => on::<req::Formatting>(request, urgent, formatting::whole),
        req::RangeFormatting::METHOD => on::<req::RangeFormatting>(request, urgent, formatting::range),
        req::CodeActionRequest::METHOD => on::<req::CodeActionRequest>(request, urgent, actions::actions),
        req::CodeLensRequest::METHOD => on::<req::CodeLensRequest>(request, wide, lenses::lenses),
        req::ExecuteCommand::METHOD => on::<req::ExecuteCommand>(request, long, checks::execute),
        _ => None,
    }
}
