//! The debugger's interface of one node's machine: which points are armed there, and which threads are held.

use jdwp::{
    ClassId, Error, ErrorCode, EventKind, Filter, Location, Method, RequestId, Session, Suspend, ThreadId,
    TypeTag, Vm, class_signature, find_returns, readable_type,
};

use super::{At, CodePlace, Point};
use crate::traps::TrapAction;

/// The reason why a point cannot be armed or looked at.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PointFault {
    #[error(transparent)]
    Machine(#[from] Error),
    /// The program has no such thing.
    #[error("{0}")]
    Wrong(String),
}

/// The talk with the machine of a node that runs.
pub(crate) struct Agent {
    /// `None` while somebody talks.
    pub session: Option<Session>,
    /// The number of the stage's connection to it.
    pub client: usize,
    pub held: Vec<HeldThread>,
}

/// A thread that stands at a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HeldThread {
    pub thread: ThreadId,
    pub name: String,
    pub point: String,
}

/// A point in the code at which the next thread that fits is held, or its node ends.
#[derive(Clone, Debug)]
pub(crate) struct Armed {
    pub point: Point,
    pub code: CodePlace,
    pub action: TrapAction,
    /// The only thread for which it counts.
    pub only: Option<ThreadId>,
    /// Whether it stays armed when a thread has come.
    pub is_always: bool,
    /// The request by which the machine tells that the class was loaded.
    pub prepare: Option<RequestId>,
    pub breakpoints: Vec<RequestId>,
    /// Whether the class was loaded, here or in an earlier run of the node.
    pub is_loaded: bool,
}

impl Armed {
    /// Forgets the machine in which it was armed.
    pub fn forget_machine(&mut self) {
        self.prepare = None;
        self.breakpoints.clear();
        self.only = None;
    }

    /// Says why no thread has come.
    pub fn why_not_reached(&self) -> String {
        if self.is_loaded {
            let threads = match &self.point.thread {
                Some(pattern) => format!("thread `{}`", pattern.0),
                None => "thread".to_owned(),
            };
            let fits = if self.code.conditions.is_empty() { "" } else { " with these conditions" };
            return format!("no {threads} has come to `{}.{}`{fits}", self.code.class, self.code.method);
        }
        format!("the class `{}` was not loaded", self.code.class)
    }
}

/// Asks the machine to tell when a thread comes to a point, also if the class is not loaded yet.
pub(crate) fn install(vm: &mut Vm<'_>, armed: &mut Armed) -> Result<(), PointFault> {
    let filters = [Filter::ClassName(armed.code.class.clone())];
    armed.prepare = Some(vm.request(EventKind::ClassPrepare, Suspend::Thread, &filters)?);
    for (tag, class) in vm.classes_by_signature(&class_signature(&armed.code.class))? {
        match place_in_class(vm, armed, (tag, class)) {
            // It is being loaded: the machine will tell.
            Err(PointFault::Machine(error)) if error.code() == Some(ErrorCode::CLASS_NOT_PREPARED) => {}
            placed => placed?,
        }
    }
    Ok(())
}

/// Asks for breakpoints in a class that was loaded.
pub(crate) fn place_in_class(
    vm: &mut Vm<'_>,
    armed: &mut Armed,
    (tag, class): (TypeTag, ClassId),
) -> Result<(), PointFault> {
    let methods = find_methods(vm, &armed.code, class)?;
    armed.is_loaded = true;
    let mut places = Vec::new();
    for method in &methods {
        let found = find_places(vm, &armed.code, class, method)?;
        places.extend(found.into_iter().map(|index| Location { tag, class, method: method.id, index }));
    }
    if places.is_empty() {
        let CodePlace { class, method, at, .. } = &armed.code;
        return Err(PointFault::Wrong(match at {
            At::Entry => format!("`{class}.{method}` has no code"),
            At::Exit => format!("`{class}.{method}` never returns"),
            At::Line(number) => format!("`{class}.{method}` has no code in line {number}"),
        }));
    }
    for location in places {
        let filters = [Filter::Location(location)];
        let request = vm.request(EventKind::Breakpoint, Suspend::Thread, &filters)?;
        armed.breakpoints.push(request);
    }
    Ok(())
}

/// Returns the methods that a point names.
fn find_methods(vm: &mut Vm<'_>, code: &CodePlace, class: ClassId) -> Result<Vec<Method>, PointFault> {
    let all = vm.methods(class)?;
    let named: Vec<Method> = all.iter().filter(|method| method.name == code.method).cloned().collect();
    if named.is_empty() {
        let mut names: Vec<&str> = all.iter().map(|method| method.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let hint = match base::nearest(&code.method, names.iter().copied()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        let what = format!("the class `{}` declares no method `{}`{hint}", code.class, code.method);
        return Err(PointFault::Wrong(what));
    }
    let types = |method: &Method| -> Vec<String> {
        let arguments = jdwp::Arguments::read(&method.signature, method.is_static());
        arguments.map(|read| read.types.iter().map(|one| readable_type(one)).collect()).unwrap_or_default()
    };
    let fits = |method: &Method| code.arguments.as_ref().is_none_or(|wanted| types(method) == *wanted);
    let fitting: Vec<Method> = named.iter().filter(|method| fits(method)).cloned().collect();
    if fitting.is_empty() {
        let known: Vec<String> =
            named.iter().map(|method| format!("({})", types(method).join(", "))).collect();
        let what = format!("`{}.{}` takes {}", code.class, code.method, known.join(" or "));
        return Err(PointFault::Wrong(what));
    }
    let with_code: Vec<Method> = fitting.iter().filter(|method| method.has_code()).cloned().collect();
    if with_code.is_empty() {
        let what =
            format!("`{}.{}` is native or abstract: no thread can be held in it", code.class, code.method);
        return Err(PointFault::Wrong(what));
    }
    Ok(with_code)
}

/// Returns the positions of a point in the code of a method.
fn find_places(
    vm: &mut Vm<'_>,
    code: &CodePlace,
    class: ClassId,
    method: &Method,
) -> Result<Vec<u64>, PointFault> {
    match code.at {
        At::Entry => Ok(vec![0]),
        At::Exit => {
            let bytes = vm.bytecodes(class, method.id)?;
            find_returns(&bytes).map_err(|error| PointFault::Wrong(error.to_string()))
        }
        At::Line(number) => {
            let table = vm.line_table(class, method.id)?;
            // A line may have code at several places; the first is where it begins.
            let places = table.lines.iter().filter(|line| line.number == number).map(|line| line.index);
            Ok(places.min().into_iter().collect())
        }
    }
}
