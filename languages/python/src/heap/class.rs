//! Classes. In: names. Out: attributes of classes, found along their order. Invariants: a version
//! changes with everything that a look-up can find, in the class and in all that derive from it, so
//! that a look-up of a name in a class of a version has one result, always; an attribute that is
//! written again and again is in a shared variable, and its value no part of the version.
//!
//! Source: sections 4.2 and 4.3 of "Runtime Feedback in a Meta-Tracing JIT for Efficient Dynamic
//! Languages" (2011); the order of classes is C3, "A Monotonic Superclass Linearization for Dylan"
//! (1996).

use crate::heap::map::ObjectMap;
use crate::heap::value::{Namespace, Value, Variable};
use crate::heap::world::classes::BASE_EXCEPTION;
use verdigris::{List, Map, Str, elidable, prelude::*};

/// A class.
#[gc]
pub struct Class {
    /// Its name.
    pub name: Cell<Gc<Str>>,
    /// Its name with those of what is around it.
    pub qualname: Cell<Gc<Str>>,
    /// The name of its module.
    pub module: Cell<Gc<Str>>,
    /// Its own attributes.
    pub namespace: Gc<Namespace>,
    /// The classes that it derives from directly.
    pub bases: Cell<GcArray<Gc<Class>>>,
    /// Itself and all that it derives from, in the order in which attributes are looked for.
    pub order: Quasi<GcArray<Gc<Class>>>,
    /// What derives from it directly.
    pub derived: Gc<List<Gc<Class>>>,
    /// Changes with what look-ups find.
    pub version: Quasi<Gc<Version>>,
    /// What look-ups have found in this version.
    found: Cell<Gc<Map<Gc<Str>, Gc<Found>>>>,
    /// The same of look-ups behind a class, few in each.
    behind: Cell<Gc<List<Gc<Behind>>>>,
    /// The layout of instances without attributes.
    pub empty_map: Cell<Option<Gc<ObjectMap>>>,
    /// How many attributes instances have had: a new one has room for them.
    pub room: Quasi<usize>,
    /// The builtin class whose instances are laid out as those of this one: its number in
    /// [`crate::heap::world::classes`].
    pub layout: usize,
    /// Whether it is builtin.
    pub builtin: bool,
    /// Its own class, if that is not `type`.
    pub meta: Option<Gc<Class>>,
    /// Whether instances may have any attributes.
    pub has_dict: bool,
    /// If not, the names of those that they may have beside those of the bases.
    pub slots: GcArray<Gc<Str>>,
    /// Whether it has methods that a class that derives from it has to define.
    pub is_abstract: Quasi<bool>,
    /// Whether attributes are looked up by a `__getattribute__` of the program.
    pub own_lookup: Quasi<bool>,
    /// Whether instances have a finalizer.
    pub finalizes: Quasi<bool>,
}

impl Class {
    /// Its name, as a text.
    pub fn name_text(&self) -> String {
        self.name.get().as_str().to_string()
    }

    /// Its qualified name, as a text.
    pub fn qualname_text(&self) -> String {
        self.qualname.get().as_str().to_string()
    }

    /// The name of its module, as a text.
    pub fn module_text(&self) -> String {
        self.module.get().as_str().to_string()
    }
}

/// What a look-up has found. An object, since a call with one result folds in compiled code.
#[gc]
pub struct Found {
    /// The entry; `Unbound` if there is none.
    pub value: Value,
}

/// What a look-up behind a class has found.
#[gc]
pub(crate) struct Behind {
    class: Gc<Class>,
    name: Gc<Str>,
    found: Gc<Found>,
}

/// The state of a class between two changes. Only its identity counts.
#[gc]
pub struct Version {}

/// What a new class is made of.
pub struct Plan {
    /// Its name.
    pub name: Gc<Str>,
    /// Its qualified name.
    pub qualname: Gc<Str>,
    /// Its module's name.
    pub module: Gc<Str>,
    /// Its attributes.
    pub namespace: Gc<Namespace>,
    /// What it derives from.
    pub bases: GcArray<Gc<Class>>,
    /// Its layout.
    pub layout: usize,
    /// Whether it is builtin.
    pub builtin: bool,
    /// Its class, if that is not `type`.
    pub meta: Option<Gc<Class>>,
    /// What its `__slots__` say, if it has them.
    pub slots: Option<GcArray<Gc<Str>>>,
}

/// A new class. `None` if its bases have no common order.
pub fn new(plan: Plan) -> Option<Gc<Class>> {
    let nothing = GcArray::from_slice(&[]);
    let bases = plan.bases.as_slice();
    let has_dict = match plan.slots {
        Some(slots) => {
            let names = slots.as_slice();
            let is_dict = names.iter().any(|name| name.as_str() == "__dict__");
            is_dict || bases.iter().any(|base| base.has_dict)
        }
        // Instances of `object` have no attributes, nor have lists and numbers.
        None => !plan.builtin || plan.layout == BASE_EXCEPTION,
    };
    let keys = plan.namespace.keys();
    let has_lookup = bases.iter().any(|base| base.own_lookup.get())
        || !plan.builtin && (0..keys.len()).any(|n| keys.at(n).as_str() == LOOKUP);
    let finalizes = bases.iter().any(|base| base.finalizes.get())
        || !plan.builtin && (0..keys.len()).any(|n| keys.at(n).as_str() == FINALIZER);
    let class = Gc::new(Class {
        name: Cell::new(plan.name),
        qualname: Cell::new(plan.qualname),
        module: Cell::new(plan.module),
        namespace: plan.namespace,
        bases: Cell::new(plan.bases),
        order: Quasi::new(nothing),
        derived: List::new(),
        version: Quasi::new(Gc::new(Version {})),
        found: Cell::new(Map::new()),
        behind: Cell::new(List::new()),
        empty_map: Cell::new(None),
        room: Quasi::new(4),
        layout: plan.layout,
        builtin: plan.builtin,
        meta: plan.meta,
        has_dict,
        slots: plan.slots.unwrap_or_else(|| GcArray::from_slice(&[])),
        is_abstract: Quasi::new(false),
        own_lookup: Quasi::new(has_lookup),
        finalizes: Quasi::new(finalizes),
    });
    class.order.set(linearize(class)?);
    class.empty_map.set(Some(crate::heap::map::empty(class)));
    for &base in plan.bases.as_slice() {
        base.derived.push(class);
    }
    Some(class)
}

/// The order of a class: itself, and then the orders of its bases merged so that each stays as it
/// is.
fn linearize(class: Gc<Class>) -> Option<GcArray<Gc<Class>>> {
    let order: RootVec<Gc<Class>> = RootVec::new();
    order.push(class);
    // Where the merge is in the order of each base, and in the list of the bases.
    let bases = class.bases.get();
    let mut places = vec![0usize; bases.len() + 1];
    let row = |n: usize| match n < bases.len() {
        true => bases[n].order.get(),
        false => bases,
    };
    loop {
        let mut is_done = true;
        let mut next = None;
        for n in 0..places.len() {
            let Some(&candidate) = row(n).as_slice().get(places[n]) else {
                continue;
            };
            is_done = false;
            let blocked = (0..places.len()).any(|m| {
                let rest = row(m);
                let rest = rest.as_slice().get(places[m] + 1..).unwrap_or(&[]);
                rest.iter().any(|&other| Gc::ptr_eq(other, candidate))
            });
            if !blocked {
                next = Some(candidate);
                break;
            }
        }
        if is_done {
            return Some(order.to_array());
        }
        let next = next?;
        order.push(next);
        for (n, place) in places.iter_mut().enumerate() {
            let row = row(n);
            let is_next = row.as_slice().get(*place);
            if is_next.is_some_and(|&other| Gc::ptr_eq(other, next)) {
                *place += 1;
            }
        }
    }
}

/// An attribute of a class, or of one that it derives from; `Unbound` if there is none.
#[inline]
pub fn lookup(class: Gc<Class>, name: Gc<Str>) -> Value {
    opened(find(class, class.version.get(), name).value)
}

/// The same if it cannot change without the version, and [`Value::Unbound`] if there is none; what
/// can is in a [`Value::Cell`].
#[inline]
pub fn constant(class: Gc<Class>, name: Gc<Str>) -> Value {
    find(class, class.version.get(), name).value
}

/// What is in a shared variable, if it is one.
#[inline(always)]
pub fn opened(value: Value) -> Value {
    match value {
        Value::Cell(variable) => variable.value.get(),
        other => other,
    }
}

/// The entry of a name in the classes of a class's order.
///
/// Elidable: with the version, the result never changes. That it is kept cannot be noticed.
#[elidable]
fn find(class: Gc<Class>, _version: Gc<Version>, name: Gc<Str>) -> Gc<Found> {
    if let Some(found) = class.found.get().get(name) {
        return found;
    }
    let order = class.order.get();
    let value = order.as_slice().iter().find_map(|c| c.namespace.get(name));
    let value = value.unwrap_or(Value::Unbound);
    let found = Gc::new(Found { value });
    class.found.get().insert(name, found);
    found
}

/// An attribute of the classes behind one in the order of another.
#[inline]
pub fn lookup_behind(start: Gc<Class>, class: Gc<Class>, name: Gc<Str>) -> Value {
    opened(find_behind(start, start.version.get(), class, name).value)
}

/// As [`find`], from behind `class` on.
#[elidable]
fn find_behind(
    start: Gc<Class>,
    _version: Gc<Version>,
    class: Gc<Class>,
    name: Gc<Str>,
) -> Gc<Found> {
    // The same call has the same result, also as an object.
    let all = start.behind.get();
    for n in 0..all.len() {
        let known = all.at(n);
        if Gc::ptr_eq(known.class, class) && known.name.same(name) {
            return known.found;
        }
    }
    let order = start.order.get();
    let mut rest = order.as_slice().iter();
    rest.by_ref().find(|&&other| Gc::ptr_eq(other, class));
    let value = rest.find_map(|c| c.namespace.get(name));
    let value = value.unwrap_or(Value::Unbound);
    let found = Gc::new(Found { value });
    all.push(Gc::new(Behind { class, name, found }));
    found
}

/// Whether a class is another one or derives from it.
///
/// Compiled code knows it as long as the order of the class stays.
#[inline]
pub fn derives(class: Gc<Class>, other: Gc<Class>) -> bool {
    is_in(class.order.get(), other)
}

/// Elidable: the array is never written.
#[elidable]
fn is_in(order: GcArray<Gc<Class>>, other: Gc<Class>) -> bool {
    order.as_slice().iter().any(|&c| Gc::ptr_eq(c, other))
}

/// Whether instances may have an attribute of this name.
///
/// Elidable: slots are those of the classes that it derives from, which never change.
#[elidable]
pub fn allows(class: Gc<Class>, name: Gc<Str>) -> bool {
    let has = |slots: GcArray<Gc<Str>>| slots.as_slice().iter().any(|slot| slot.same(name));
    let order = class.order.get();
    class.has_dict || order.as_slice().iter().any(|c| has(c.slots))
}

/// Gives a class other bases. Whether there is a common order of them.
pub fn set_bases(class: Gc<Class>, bases: GcArray<Gc<Class>>) -> bool {
    let before = class.bases.replace(bases);
    if !order_again(class) {
        class.bases.set(before);
        order_again(class);
        return false;
    }
    for &base in before.as_slice() {
        let place = (0..base.derived.len()).find(|&n| Gc::ptr_eq(base.derived.at(n), class));
        if let Some(place) = place {
            base.derived.remove(place);
        }
    }
    bases
        .as_slice()
        .iter()
        .for_each(|base| base.derived.push(class));
    changed(class);
    true
}

/// Finds the order of a class and of those that derive from it once more.
fn order_again(class: Gc<Class>) -> bool {
    let Some(order) = linearize(class) else {
        return false;
    };
    class.order.set(order);
    (0..class.derived.len()).all(|n| order_again(class.derived.at(n)))
}

/// Whether instances of two classes have the same slots.
pub fn has_same_slots(a: Gc<Class>, b: Gc<Class>) -> bool {
    let slots = |class: Gc<Class>| -> Vec<String> {
        let order = class.order.get();
        let all = order.as_slice().iter().flat_map(|c| c.slots.as_slice());
        let mut names: Vec<String> = all.map(|name| name.as_str().to_string()).collect();
        names.sort();
        names
    };
    slots(a) == slots(b)
}

/// The method that looks up attributes.
const LOOKUP: &str = "__getattribute__";

/// The method that is called when an object has died.
const FINALIZER: &str = "__del__";

fn has_finalizer(class: Gc<Class>) {
    class.finalizes.set(true);
    for n in 0..class.derived.len() {
        has_finalizer(class.derived.at(n));
    }
}

fn has_own_lookup(class: Gc<Class>) {
    class.own_lookup.set(true);
    for n in 0..class.derived.len() {
        has_own_lookup(class.derived.at(n));
    }
}

/// Writes an attribute of a class.
#[opaque]
pub fn set_attribute(class: Gc<Class>, name: Gc<Str>, value: Value) {
    if name.as_str() == LOOKUP {
        has_own_lookup(class);
    }
    if name.as_str() == FINALIZER {
        has_finalizer(class);
    }
    if name.as_str() == "__abstractmethods__" {
        let has_some = match value {
            Value::Set(all) | Value::FrozenSet(all) => all.live.get() > 0,
            _ => false,
        };
        class.is_abstract.set(has_some);
    }
    let is_data = |value: Value| {
        matches!(
            value,
            Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::None | Value::Str(_)
        ) || matches!(
            value,
            Value::List(_)
                | Value::Tuple(_)
                | Value::Dict(_)
                | Value::Set(_)
                | Value::Bytes(_)
                | Value::ByteArray(_)
                | Value::Complex(_)
        )
    };
    match class.namespace.get(name) {
        Some(Value::Cell(variable)) => variable.value.set(value),
        Some(old) if is_data(old) && is_data(value) => {
            let value = Cell::new(value);
            let variable = Value::Cell(Gc::new(Variable { value }));
            class.namespace.insert(name, variable);
            changed(class);
        }
        _ => {
            class.namespace.insert(name, value);
            changed(class);
        }
    }
}

/// Removes an attribute of a class. Whether there was one.
#[opaque]
pub fn delete_attribute(class: Gc<Class>, name: Gc<Str>) -> bool {
    let was_there = class.namespace.remove(name).is_some();
    if was_there {
        changed(class);
    }
    was_there
}

/// The class and all that derive from it have a new version.
fn changed(class: Gc<Class>) {
    class.version.set(Gc::new(Version {}));
    class.found.set(Map::new());
    class.behind.set(List::new());
    for n in 0..class.derived.len() {
        changed(class.derived.at(n));
    }
}
