//! Looking at objects of a Java program while its machine stands still.

use jdwp::{
    Arguments, ClassId, Error, ErrorCode, FrameInfo, ObjectId, Tag, ThreadId, Value, Vm, readable_type,
};

use super::agent::PointFault;
use super::path::{Path, Root, Step};

/// The things that a path can begin with.
#[derive(Clone, Copy, Default)]
pub(crate) struct Scene {
    /// The frame of a suspended thread.
    pub frame: Option<(ThreadId, FrameInfo)>,
    pub this: Option<ObjectId>,
    /// The class whose static fields are meant by first words.
    pub class: Option<ClassId>,
    /// A thread that an event has suspended: it can call methods.
    pub caller: Option<ThreadId>,
}

/// The most names that a message lists.
const NAMES_MAX: usize = 12;

/// Follows a path.
pub(crate) fn look(vm: &mut Vm<'_>, scene: &Scene, path: &Path) -> Result<Value, PointFault> {
    let mut value = begin(vm, scene, path)?;
    for step in &path.steps {
        value = match step {
            Step::Field(name) => field(vm, value, name, path)?,
            Step::Method(name) => call(vm, scene, (value, name), path)?,
            Step::Element(index) => element(vm, value, *index, path)?,
        };
    }
    Ok(value)
}

fn wrong(path: &Path, what: impl std::fmt::Display) -> PointFault {
    PointFault::Wrong(format!("`{}`: {what}", path.text()))
}

fn begin(vm: &mut Vm<'_>, scene: &Scene, path: &Path) -> Result<Value, PointFault> {
    match (&path.root, scene.frame) {
        (Root::This, Some((thread, frame))) => {
            let this = vm.this_object(thread, frame.id)?;
            match this.text() {
                Some(_) => Err(wrong(path, "a static method has no `this`")),
                None => Ok(this),
            }
        }
        (Root::This, None) => match scene.this {
            Some(this) => Ok(Value::Object(Tag::Object, this)),
            None => Err(wrong(path, "there is no `this` here")),
        },
        (Root::Argument(index), Some(_)) => argument(vm, scene, *index, path),
        (Root::Argument(_), None) => Err(wrong(path, "there are no arguments here: no thread is held")),
        (Root::Name(name), Some((thread, frame))) => local(vm, thread, frame, name, path),
        (Root::Name(name), None) => match (scene.class, scene.this) {
            (Some(class), _) => static_field(vm, class, name, path),
            (None, Some(this)) => field(vm, Value::Object(Tag::Object, this), name, path),
            (None, None) => Err(wrong(path, "there is nothing to look at")),
        },
    }
}

fn argument(vm: &mut Vm<'_>, scene: &Scene, index: usize, path: &Path) -> Result<Value, PointFault> {
    let Some((thread, frame)) = scene.frame else { return Err(wrong(path, "no thread is held")) };
    let methods = vm.methods(frame.location.class)?;
    let method = methods.iter().find(|method| method.id == frame.location.method);
    let method = method.ok_or_else(|| wrong(path, "the method is unknown"))?;
    let arguments = Arguments::read(&method.signature, method.is_static());
    let arguments = arguments.map_err(|error| wrong(path, error))?;
    let Some((slot, letter)) = arguments.slots.get(index) else {
        let n = arguments.slots.len();
        return Err(wrong(path, format!("`{}` has {n} arguments", method.name)));
    };
    Ok(vm.local(thread, frame.id, *slot, *letter)?)
}

fn local(
    vm: &mut Vm<'_>,
    thread: ThreadId,
    frame: FrameInfo,
    name: &str,
    path: &Path,
) -> Result<Value, PointFault> {
    let location = frame.location;
    let variables = match vm.variable_table(location.class, location.method) {
        Err(error) if error.code() == Some(ErrorCode::ABSENT_INFORMATION) => {
            let what =
                "the class was compiled without the names of its variables: `arg1`, `arg2` and `this` exist";
            return Err(wrong(path, what));
        }
        variables => variables?,
    };
    let found = variables.iter().find(|one| one.name == name && one.exists_at(location.index));
    match found {
        Some(variable) => {
            let letter = variable.signature.bytes().next().unwrap_or(b'L');
            Ok(vm.local(thread, frame.id, variable.slot, letter)?)
        }
        None => {
            let names = list(variables.iter().map(|variable| variable.name.as_str()));
            Err(wrong(path, format!("there is no variable `{name}` there; the method has {names}")))
        }
    }
}

fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    let n_more = names.len().saturating_sub(NAMES_MAX);
    names.truncate(NAMES_MAX);
    let listed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    if n_more == 0 { listed } else { format!("{listed} and {n_more} more") }
}

fn static_field(vm: &mut Vm<'_>, class: ClassId, name: &str, path: &Path) -> Result<Value, PointFault> {
    let fields = vm.fields(class)?;
    match fields.iter().find(|field| field.is_static() && field.name == name) {
        Some(field) => Ok(vm.static_value(class, field.id)?),
        None => {
            let names =
                list(fields.iter().filter(|field| field.is_static()).map(|field| field.name.as_str()));
            Err(wrong(path, format!("there is no static field `{name}`; the class has {names}")))
        }
    }
}

/// Returns the object that a value refers to.
fn object(value: Value, path: &Path) -> Result<ObjectId, PointFault> {
    match value {
        Value::Object(_, ObjectId::NULL) => Err(wrong(path, "what comes before the last word is null")),
        Value::Object(_, object) => Ok(object),
        Value::Void
        | Value::Boolean(_)
        | Value::Byte(_)
        | Value::Char(_)
        | Value::Short(_)
        | Value::Int(_)
        | Value::Long(_)
        | Value::Float(_)
        | Value::Double(_) => Err(wrong(path, "what comes before the last word is no object")),
    }
}

fn field(vm: &mut Vm<'_>, value: Value, name: &str, path: &Path) -> Result<Value, PointFault> {
    let object = object(value, path)?;
    let (_, own) = vm.class_of(object)?;
    let (mut class, mut names) = (Some(own), Vec::new());
    while let Some(this) = class {
        let fields = vm.fields(this)?;
        if let Some(field) = fields.iter().find(|field| field.name == name) {
            return Ok(match field.is_static() {
                true => vm.static_value(this, field.id)?,
                false => vm.field_value(object, field.id)?,
            });
        }
        names.extend(fields.into_iter().map(|field| field.name));
        class = vm.superclass(this)?;
    }
    let class = readable_type(&vm.signature(own)?);
    let names = list(names.iter().map(String::as_str));
    Err(wrong(path, format!("`{class}` has no field `{name}`; it has {names}")))
}

fn call(
    vm: &mut Vm<'_>,
    scene: &Scene,
    (value, name): (Value, &str),
    path: &Path,
) -> Result<Value, PointFault> {
    let Some(caller) = scene.caller else {
        let what =
            format!("`{name}()` needs a thread of the node that is held at a point: it makes the call");
        return Err(wrong(path, what));
    };
    let object = object(value, path)?;
    let (_, own) = vm.class_of(object)?;
    let mut class = Some(own);
    while let Some(this) = class {
        let methods = vm.methods(this)?;
        let is_it = |method: &&jdwp::Method| {
            method.name == name && method.signature.starts_with("()") && method.has_code()
        };
        if let Some(method) = methods.iter().find(is_it) {
            return match vm.invoke(object, caller, this, method.id)? {
                Ok(value) => Ok(value),
                Err(exception) => {
                    let (_, class) = vm.class_of(exception)?;
                    let class = readable_type(&vm.signature(class)?);
                    Err(wrong(path, format!("`{name}()` has thrown a {class}")))
                }
            };
        }
        class = vm.superclass(this)?;
    }
    let class = readable_type(&vm.signature(own)?);
    Err(wrong(path, format!("`{class}` has no method `{name}` without arguments")))
}

fn element(vm: &mut Vm<'_>, value: Value, index: u32, path: &Path) -> Result<Value, PointFault> {
    let Value::Object(Tag::Array, array) = value else { return Err(wrong(path, "what has `[` is no array")) };
    if array == ObjectId::NULL {
        return Err(wrong(path, "what has `[` is null"));
    }
    let len = vm.array_len(array)?;
    if index >= len {
        return Err(wrong(path, format!("the array has {len} elements")));
    }
    Ok(vm.array_element(array, index)?)
}

/// Classes whose objects stand for the value of one field.
const BOXES: &[&str] = &[
    "Ljava/lang/Boolean;",
    "Ljava/lang/Byte;",
    "Ljava/lang/Character;",
    "Ljava/lang/Short;",
    "Ljava/lang/Integer;",
    "Ljava/lang/Long;",
    "Ljava/lang/Float;",
    "Ljava/lang/Double;",
    "Ljava/util/concurrent/atomic/AtomicInteger;",
    "Ljava/util/concurrent/atomic/AtomicLong;",
    "Ljava/util/concurrent/atomic/AtomicReference;",
];

/// How deep boxes may be in each other.
const BOXES_MAX: usize = 8;

/// Returns a value as text: numbers and texts as they are, constants of an enumeration and what is in a box by their
/// names, of other objects the class.
pub(crate) fn text_of(vm: &mut Vm<'_>, value: Value) -> Result<String, Error> {
    let mut value = value;
    for _ in 0..BOXES_MAX {
        if let Some(text) = value.text() {
            return Ok(text);
        }
        let Value::Object(tag, object) = value else { break };
        if tag == Tag::String {
            return vm.string(object);
        }
        let (_, class) = vm.class_of(object)?;
        let signature = vm.signature(class)?;
        if BOXES.contains(&signature.as_str()) {
            value = own_field(vm, (object, class), "value")?;
            continue;
        }
        if signature == "Ljava/util/concurrent/atomic/AtomicBoolean;" {
            let is_true = own_field(vm, (object, class), "value")? != Value::Int(0);
            return Ok(is_true.to_string());
        }
        return match constant_class(vm, class)? {
            Some(base) => {
                value = own_field(vm, (object, base), "name")?;
                continue;
            }
            None => Ok(readable_type(&signature)),
        };
    }
    Ok("object".to_owned())
}

/// Returns `java.lang.Enum` if a class is that of constants of an enumeration.
fn constant_class(vm: &mut Vm<'_>, class: ClassId) -> Result<Option<ClassId>, Error> {
    // A constant may have a class of its own, which extends that of the enumeration.
    let mut class = class;
    for _ in 0..2 {
        let Some(base) = vm.superclass(class)? else { return Ok(None) };
        if vm.signature(base)? == "Ljava/lang/Enum;" {
            return Ok(Some(base));
        }
        class = base;
    }
    Ok(None)
}

fn own_field(
    vm: &mut Vm<'_>,
    (object, class): (ObjectId, ClassId),
    name: &'static str,
) -> Result<Value, Error> {
    let fields = vm.fields(class)?;
    match fields.iter().find(|field| field.name == name && !field.is_static()) {
        Some(field) => vm.field_value(object, field.id),
        None => Ok(Value::Void),
    }
}
