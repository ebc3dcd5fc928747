//! Weak references, as the library has them: to what a program may refer to weakly. In: values.
//! Out: the same values, or that they are gone. Invariant: no field refers to the target.

use crate::heap::class::Class;
use crate::heap::dict::Dict;
use crate::heap::function::{Function, Module};
use crate::heap::instance::Instance;
use crate::heap::value::{Generator, Value};
use verdigris::{WeakRef, prelude::*};

/// A weak reference: one of these is there.
#[gc]
pub struct Weak {
    instance: Option<Gc<WeakRef<Gc<Instance>>>>,
    class: Option<Gc<WeakRef<Gc<Class>>>>,
    function: Option<Gc<WeakRef<Gc<Function>>>>,
    module: Option<Gc<WeakRef<Gc<Module>>>>,
    generator: Option<Gc<WeakRef<Gc<Generator>>>>,
    set: Option<Gc<WeakRef<Gc<Dict>>>>,
    /// Whether the set is a frozen one.
    is_frozen: bool,
}

/// A weak reference to a value; `None` if there are none to values of its kind.
pub fn to(value: Value) -> Option<Value> {
    let nothing = Weak {
        instance: None,
        class: None,
        function: None,
        module: None,
        generator: None,
        set: None,
        is_frozen: matches!(value, Value::FrozenSet(_)),
    };
    let made = match value {
        Value::Instance(x) => Weak {
            instance: Some(WeakRef::new(x)),
            ..nothing
        },
        Value::Class(x) => Weak {
            class: Some(WeakRef::new(x)),
            ..nothing
        },
        Value::Function(x) => Weak {
            function: Some(WeakRef::new(x)),
            ..nothing
        },
        Value::Module(x) => Weak {
            module: Some(WeakRef::new(x)),
            ..nothing
        },
        Value::Generator(x) => Weak {
            generator: Some(WeakRef::new(x)),
            ..nothing
        },
        Value::Set(x) | Value::FrozenSet(x) => Weak {
            set: Some(WeakRef::new(x)),
            ..nothing
        },
        _ => return None,
    };
    Some(Value::Weak(Gc::new(made)))
}

/// What a weak reference is to, unless that is gone.
pub fn target(weak: Gc<Weak>) -> Option<Value> {
    let instance = weak
        .instance
        .and_then(|known| known.get())
        .map(Value::Instance);
    let class = weak.class.and_then(|known| known.get()).map(Value::Class);
    let function = weak
        .function
        .and_then(|known| known.get())
        .map(Value::Function);
    let module = weak.module.and_then(|known| known.get()).map(Value::Module);
    let generator = weak
        .generator
        .and_then(|known| known.get())
        .map(Value::Generator);
    let set = weak
        .set
        .and_then(|known| known.get())
        .map(|set| match weak.is_frozen {
            true => Value::FrozenSet(set),
            false => Value::Set(set),
        });
    instance
        .or(class)
        .or(function)
        .or(module)
        .or(generator)
        .or(set)
}
