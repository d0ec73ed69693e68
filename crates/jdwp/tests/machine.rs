//! A real virtual machine, which runs a guest with its debugger's interface switched on.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use jdwp::{
    Arguments, Error, ErrorCode, Event, EventKind, EventSet, Filter, Link, Location, ObjectId, Session,
    SocketLink, Suspend, Tag, ThreadId, Value, class_signature, find_returns,
};

/// A machine that has not begun to run its program.
struct Machine {
    child: Child,
    lines: BufReader<ChildStdout>,
    link: SocketLink,
    session: Session,
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start() -> Machine {
    let classes = test_kit::java_guest("Points", Path::new(env!("CARGO_TARGET_TMPDIR")));
    // The machine chooses the port, and says which.
    let mut child = Command::new("java")
        .arg("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0")
        .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"])
        .arg(classes)
        .args(["Points", "5"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    let port: u16 = first.trim_end().rsplit(' ').next().unwrap().parse().unwrap();
    let socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut link = SocketLink::new(socket, Duration::from_secs(20)).unwrap();
    let session = Session::open(&mut link).unwrap();
    Machine { child, lines, link, session }
}

impl Machine {
    fn vm(&mut self) -> jdwp::Vm<'_> {
        self.session.talk(&mut self.link)
    }

    fn next_events(&mut self) -> EventSet {
        loop {
            if let Some(events) = self.session.next_events().unwrap() {
                return events;
            }
            let bytes = self.link.receive().unwrap();
            assert!(!bytes.is_empty(), "the machine has ended");
            self.session.feed(&bytes).unwrap();
        }
    }

    /// Waits until a class is loaded. The thread that loads it is suspended.
    fn wait_for_class(&mut self, name: &str) -> (jdwp::ClassId, ThreadId) {
        let filters = [Filter::ClassName(name.to_owned())];
        self.vm().request(EventKind::ClassPrepare, Suspend::Thread, &filters).unwrap();
        self.vm().resume_all().unwrap();
        let events = self.next_events();
        match &events.events[..] {
            [Event::ClassPrepare { class, thread, signature, .. }] => {
                assert_eq!(*signature, class_signature(name));
                (*class, *thread)
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_thread_stops_at_a_breakpoint_and_shows_what_it_has() {
    let mut machine = start();
    assert!(matches!(machine.next_events().events[..], [Event::VmStart { .. }]));
    assert!(!machine.vm().version().unwrap().name.is_empty());
    assert_eq!(machine.vm().classes_by_signature("LPoints$Worker;").unwrap(), []);
    let (class, loader) = machine.wait_for_class("Points$Worker");
    assert_eq!(machine.vm().thread_name(loader).unwrap(), "main");
    let methods = machine.vm().methods(class).unwrap();
    let step = methods.iter().find(|method| method.name == "step").unwrap();
    assert!(step.has_code() && !step.is_static());
    let arguments = Arguments::read(&step.signature, false).unwrap();
    assert_eq!(arguments.types, ["I", "LPoints$Note;"]);
    // It returns at two places.
    let code = machine.vm().bytecodes(class, step.id).unwrap();
    assert_eq!(find_returns(&code).unwrap().len(), 2);
    let lines = machine.vm().line_table(class, step.id).unwrap();
    assert_eq!(lines.lines[0].index, 0);
    assert!(lines.lines.windows(2).all(|pair| pair[0].number != pair[1].number));
    let location = Location { tag: jdwp::TypeTag::Class, class, method: step.id, index: 0 };
    let filters = [Filter::Location(location)];
    let request = machine.vm().request(EventKind::Breakpoint, Suspend::Thread, &filters).unwrap();
    machine.vm().resume(loader).unwrap();

    let thread = match &machine.next_events() {
        EventSet { suspend: Suspend::Thread, events } => match events[..] {
            [Event::Breakpoint { request: told, thread, location: there }] => {
                assert_eq!((told, there), (request, location));
                thread
            }
            _ => panic!("{events:?}"),
        },
        other => panic!("{other:?}"),
    };
    assert!(machine.vm().thread_name(thread).unwrap().starts_with("worker-"));
    let frames = machine.vm().frames(thread, 2).unwrap();
    assert_eq!(frames[0].location, location);
    let local = |machine: &mut Machine, at: usize| {
        let (slot, letter) = arguments.slots[at];
        machine.vm().local(thread, frames[0].id, slot, letter)
    };
    assert_eq!(local(&mut machine, 0).unwrap(), Value::Int(1));
    let Value::Object(Tag::Object, note) = local(&mut machine, 1).unwrap() else { panic!() };
    let Value::Object(_, this) = machine.vm().this_object(thread, frames[0].id).unwrap() else { panic!() };
    assert_eq!(machine.vm().class_of(this).unwrap().1, class);
    look_at_objects(&mut machine, (this, note), thread);

    // The variables have no names: the guest is compiled without them.
    let named = machine.vm().variable_table(class, step.id);
    assert_eq!(named.unwrap_err().code(), Some(ErrorCode::ABSENT_INFORMATION));
    machine.vm().clear(EventKind::Breakpoint, request).unwrap();
    machine.vm().dispose().unwrap();
    // Afterwards it waits for another debugger, and says so.
    let output = (&mut machine.lines).lines().map(Result::unwrap);
    let output: Vec<String> = output.filter(|line| line.starts_with("worker-")).collect();
    assert_eq!(output.len(), 12, "{output:?}");
    assert!(machine.child.wait().unwrap().success());
}

fn look_at_objects(machine: &mut Machine, (this, note): (ObjectId, ObjectId), thread: ThreadId) {
    let mut vm = machine.vm();
    let (_, worker) = vm.class_of(this).unwrap();
    let fields = vm.fields(worker).unwrap();
    let total = fields.iter().find(|field| field.name == "total").unwrap();
    assert!(total.is_static());
    assert!(matches!(vm.static_value(worker, total.id).unwrap(), Value::Int(0 | 1)));
    let old = fields.iter().find(|field| field.name == "note").unwrap();
    let Value::Object(_, old) = vm.field_value(this, old.id).unwrap() else { panic!() };
    assert_eq!(
        vm.superclass(worker).unwrap().map(|class| vm.signature(class).unwrap()).unwrap(),
        "Ljava/lang/Thread;"
    );

    let (_, class) = vm.class_of(note).unwrap();
    let fields = vm.fields(class).unwrap();
    let named = |name: &str| fields.iter().find(|field| field.name == name).unwrap().id;
    let Value::Object(Tag::String, text) = vm.field_value(old, named("text")).unwrap() else { panic!() };
    assert_eq!(vm.string(text).unwrap(), "none");
    let Value::Object(Tag::Array, numbers) = vm.field_value(note, named("numbers")).unwrap() else {
        panic!()
    };
    assert_eq!(vm.array_len(numbers).unwrap(), 3);
    assert_eq!(vm.array_element(numbers, 2).unwrap(), Value::Int(9));
    assert!(vm.array_element(numbers, 3).is_err());
    assert!(vm.instances(class, 100).unwrap().iter().any(|(_, object)| *object == note));

    let methods = vm.methods(class).unwrap();
    let named = |name: &str| methods.iter().find(|method| method.name == name).unwrap().id;
    let Ok(Value::Object(Tag::String, loud)) = vm.invoke(note, thread, class, named("loud")).unwrap() else {
        panic!()
    };
    assert_eq!(vm.string(loud).unwrap(), "NOTE 1!");
    let thrown = vm.invoke(note, thread, class, named("fail")).unwrap().unwrap_err();
    let (_, thrown) = vm.class_of(thrown).unwrap();
    assert_eq!(vm.signature(thrown).unwrap(), "Ljava/lang/IllegalStateException;");
}

#[test]
fn leaving_a_method_tells_its_value_and_a_dead_machine_is_an_error() {
    let mut machine = start();
    machine.next_events();
    let (class, loader) = machine.wait_for_class("Points$Worker");
    let filters = [Filter::Class(class), Filter::Count(1)];
    machine.vm().request(EventKind::MethodExit, Suspend::Thread, &filters).unwrap();
    machine.vm().resume(loader).unwrap();
    // The constructor of the first worker.
    match machine.next_events().events[..] {
        [Event::MethodExit { value: Value::Void, thread, .. }] => assert_eq!(thread, loader),
        ref other => panic!("{other:?}"),
    }
    assert!(machine.vm().all_threads().unwrap().contains(&loader));
    machine.child.kill().unwrap();
    let ended = (0..100).find_map(|_| machine.vm().version().err());
    assert!(matches!(ended, Some(Error::Closed | Error::Link(_))), "{ended:?}");
}

#[test]
fn unknown_names_are_refused_and_not_believed() {
    let mut machine = start();
    machine.next_events();
    let refused = machine.vm().thread_name(ThreadId(ObjectId(0x7777_7777))).unwrap_err();
    assert!(refused.code().is_some(), "{refused}");
    let refused = machine.vm().class_of(ObjectId(0x7777_7777)).unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::INVALID_OBJECT));
    assert_eq!(refused.to_string(), "it refused `ObjectReference.ReferenceType`: the object is gone");
}
