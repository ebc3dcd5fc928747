//! What a new class has of its bases. In: names, bases, namespaces. Out: classes. Invariant: the
//! instances of a class are laid out as those of the one builtin class that it derives from.

use crate::heap::class::{self, Class, Plan};
use crate::heap::exception::Thrown;
use crate::heap::places;
use crate::heap::value::{CLASS, MEMBER, Namespace, STATIC, Tuple, Value, accessor, text_of};
use crate::heap::world::{World, class_of, classes, intern, interned, names};
use crate::plain::fault;
use crate::run::call;
use crate::run::native::collect;
use crate::run::objects::{attribute, special};
use verdigris::{Str, prelude::*};

/// What a class is to be made of.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// Its name.
    pub name: Gc<Str>,
    /// Its name with those of what is around it.
    pub qualname: Gc<Str>,
    /// Its module.
    pub module: Gc<Str>,
    /// Its attributes.
    pub namespace: Gc<Namespace>,
    /// Its bases, which are classes.
    pub bases: Tuple,
    /// The shared variable `__class__` of its methods, or `Unbound`.
    pub cell: Value,
}

/// The builtin classes that others can derive from, beside exceptions.
const LAYOUTS: [usize; 16] = [
    classes::OBJECT,
    classes::TYPE,
    classes::INT,
    classes::FLOAT,
    classes::STR,
    classes::LIST,
    classes::TUPLE,
    classes::DICT,
    classes::SET,
    classes::FROZENSET,
    classes::BYTES,
    classes::BYTEARRAY,
    classes::COMPLEX,
    classes::PROPERTY,
    classes::STATICMETHOD,
    classes::CLASSMETHOD,
];

/// Those that cannot be derived from in CPython either.
const FINAL: [usize; 9] = [
    classes::BOOL,
    classes::NONE,
    classes::FUNCTION,
    classes::RANGE,
    classes::SLICE,
    classes::NATIVE,
    classes::METHOD,
    classes::GENERATOR,
    classes::ELLIPSIS,
];

/// Makes a class, and tells its attributes and its bases.
///
/// # Errors
/// That there is no such class, and what those raise that are told.
pub fn make(
    world: Gc<World>,
    meta: Gc<Class>,
    wanted: Wanted,
    keywords: Value,
    depth: i64,
) -> Result<Gc<Class>, Thrown> {
    let namespace = wanted.namespace;
    let (bases, layout) = bases(world, wanted.bases)?;
    let slots = slots(world, wanted, depth)?;
    let (mut qualname, mut module) = (wanted.qualname, wanted.module);
    for (name, place) in [
        (names::QUALNAME, &mut qualname),
        (names::MODULE, &mut module),
    ] {
        if let Some(Value::Str(given)) = namespace.get(world.names[name]) {
            namespace.remove(world.names[name]);
            *place = interned(world, given.data);
        }
    }
    // A class that is equal by other rules has no hash unless it says so.
    let has_equal = namespace.contains(world.names[names::EQ]);
    if has_equal && !namespace.contains(world.names[names::HASH]) {
        namespace.insert(world.names[names::HASH], Value::None);
    }
    // These are of the class without being declared so.
    for (implicit, kind) in [
        (names::NEW, STATIC),
        (names::INIT_SUBCLASS, CLASS),
        (names::CLASS_GETITEM, CLASS),
    ] {
        let name = world.names[implicit];
        if let Some(Value::Function(function)) = namespace.get(name) {
            namespace.insert(name, accessor(kind, Value::Function(function)));
        }
    }
    let plan = Plan {
        name: wanted.name,
        qualname,
        module,
        namespace,
        bases: bases.to_array(),
        layout,
        builtin: false,
        meta: (!Gc::ptr_eq(meta, world.classes[classes::TYPE])).then_some(meta),
        slots,
    };
    let made = class::new(plan).ok_or_else(|| {
        let all: Vec<String> = bases.iter().map(|b| b.name_text()).collect();
        let message = format!(
            "Cannot create a consistent method resolution\norder (MRO) for bases {}",
            all.join(", ")
        );
        fault::type_error(world, &message)
    })?;
    if let Value::Cell(variable) = wanted.cell {
        variable.value.set(Value::Class(made));
    }
    for &name in made.slots.as_slice() {
        if !matches!(name.as_str(), "__dict__" | "__weakref__") {
            let member = special::descriptor(MEMBER, name.as_str(), made);
            namespace.insert(name, member);
        }
    }
    set_names(world, made, depth)?;
    init_subclass(world, made, keywords, depth)?;
    Ok(made)
}

/// The bases of a class and its layout.
fn bases(world: Gc<World>, given: Tuple) -> Result<(RootVec<Gc<Class>>, usize), Thrown> {
    let bases: RootVec<Gc<Class>> = RootVec::new();
    let mut layout = classes::OBJECT;
    for n in 0..given.len() {
        let Value::Class(base) = given[n].get() else {
            return Err(fault::missing(world, "a base that is no class"));
        };
        let name = base.name_text();
        if (0..n).any(|m| given[m].get() == given[n].get()) {
            let message = format!("duplicate base class {name}");
            return Err(fault::type_error(world, &message));
        }
        if FINAL.iter().any(|&n| Gc::ptr_eq(base, world.classes[n])) {
            let message = format!("type '{name}' is not an acceptable base type");
            return Err(fault::type_error(world, &message));
        }
        if base.layout != classes::BASE_EXCEPTION && !LAYOUTS.contains(&base.layout) {
            let what = format!("a class that derives from '{name}'");
            return Err(fault::missing(world, &what));
        }
        match (layout, base.layout) {
            (_, classes::OBJECT) => {}
            (classes::OBJECT, other) => layout = other,
            (a, b) if a == b => {}
            _ => {
                let message = "multiple bases have instance lay-out conflict";
                return Err(fault::type_error(world, message));
            }
        }
        bases.push(base);
    }
    if bases.is_empty() {
        bases.push(world.classes[classes::OBJECT]);
    }
    Ok((bases, layout))
}

/// The names of `__slots__`, if the class has them.
fn slots(world: Gc<World>, wanted: Wanted, depth: i64) -> Result<Option<GcArray<Gc<Str>>>, Thrown> {
    let namespace = wanted.namespace;
    let Some(given) = namespace.get(world.names[names::SLOTS]) else {
        return Ok(None);
    };
    let all = match given {
        Value::Str(_) => {
            let all = verdigris::List::new();
            all.push(given);
            all
        }
        _ => collect::list_of(world, given, depth)?,
    };
    let made: RootVec<Gc<Str>> = RootVec::new();
    for n in 0..all.len() {
        let Value::Str(name) = all.at(n) else {
            let message = "__slots__ items must be strings";
            return Err(fault::type_error(world, message));
        };
        let class = Some(wanted.name.as_str());
        let name = crate::compile::scope::mangled(class, name.as_str());
        let name = intern(world, &name);
        if namespace.contains(name) {
            let shown = name.as_str();
            let message = format!("'{shown}' in __slots__ conflicts with class variable");
            return Err(fault::value_error(world, &message));
        }
        made.push(name);
    }
    Ok(Some(made.to_array()))
}

/// Tells the attributes that want to know what they are called.
fn set_names(world: Gc<World>, class: Gc<Class>, depth: i64) -> Result<(), Thrown> {
    let all = class.namespace;
    let keys = all.keys();
    for n in 0..keys.len() {
        let name = keys.at(n);
        let Some(value @ (Value::Instance(_) | Value::Class(_))) = all.get(name) else {
            continue;
        };
        let hook = class::lookup(class_of(world, value), world.names[names::SET_NAME]);
        if !hook.is_unbound() {
            let args = call::two(Value::Class(class), Value::Str(text_of(name)));
            call::method(world, hook, value, args, places::below(world, depth))?;
        }
    }
    Ok(())
}

/// Tells the class that it derives from.
fn init_subclass(
    world: Gc<World>,
    class: Gc<Class>,
    keywords: Value,
    depth: i64,
) -> Result<(), Thrown> {
    let hook = class::lookup_behind(class, class, world.names[names::INIT_SUBCLASS]);
    let args = call::from_lists(world, Value::Tuple(world.no_items), keywords);
    match hook {
        Value::Unbound if args.count > 0 => {
            let name = class.name_text();
            let message = format!("{name}.__init_subclass__() takes no keyword arguments");
            Err(fault::type_error(world, &message))
        }
        Value::Unbound => Ok(()),
        _ => {
            let function = attribute::unwrapped(hook);
            let args = call::with_first(args, Value::Class(class));
            call::value(world, function, args, places::below(world, depth))?;
            Ok(())
        }
    }
}
