//! Loops over the library's data structures, each of which does one thing: what compiled code does
//! with lists, maps and builders that exist. In: the name of a loop and how often it runs. Out: a
//! number in which every turn counts. Invariant: the collections are made by a called function, so
//! the JIT cannot leave them out.
//!
//! The guest program is the name alone: the position in it never changes, and each turn is one
//! instruction.

#![forbid(unsafe_code)]

use verdigris::{FinalQueue, VmError};
use verdigris::{library::prelude::*, prelude::*};

verdigris::include_jit!();

/// The collections, and what is in them at the beginning.
#[gc]
struct State {
    /// The numbers below [`SIZE`].
    list: Gc<List<i64>>,
    /// The same as values.
    values: Gc<List<Value>>,
    /// From the numbers below [`SIZE`] to the same.
    map: Gc<Map<i64, i64>>,
    /// The same without every third entry: its numbers are not the places of the entries.
    thin: Gc<Map<i64, i64>>,
    /// The number from which its walk goes on.
    from: Cell<usize>,
    /// From objects to numbers.
    of_objects: Gc<Map<Gc<Made>, i64>>,
    /// The objects.
    objects: Gc<List<Gc<Made>>>,
    /// From [`SIZE`] names to numbers.
    named: Gc<Map<Gc<Str>, i64>>,
    /// The names.
    names: Gc<List<Gc<Str>>>,
    /// Other strings with the same text.
    other_names: Gc<List<Gc<Str>>>,
    builder: Gc<StrBuilder>,
    /// To what the last few turns have made.
    weak: Gc<List<Gc<WeakRef<Gc<Made>>>>>,
}

/// The garbage of a turn.
#[gc]
pub struct Made {
    turn: i64,
}

/// A key is the object itself.
impl KeyObject for Made {}

/// A value of a dynamic language.
#[value]
#[derive(Clone, Copy)]
enum Value {
    Nil,
    Int(i64),
    Float(f64),
    Text(Gc<Str>),
}

/// How many items there are.
const SIZE: usize = 1024;

/// As many weak references are kept.
const RECENT: usize = 8;

/// The loops. What the last two give depends on when the heap is collected.
pub const LOOPS: &[&str] = &[
    "push",
    "pop",
    "stack",
    "get-set",
    "values",
    "map-get",
    "map-same",
    "map-put",
    "map-new",
    "map-text",
    "map-other-text",
    "map-walk",
    "thin-walk",
    "map-next",
    "map-default",
    "map-count",
    "map-objects",
    "identity",
    "builder",
    "weak",
    "final",
];

#[opaque]
fn state() -> Gc<State> {
    let name = |n: i64| Str::new(&format!("a name with number {n}"));
    let state = Gc::new(State {
        list: List::new(),
        values: List::new(),
        map: Map::new(),
        thin: Map::new(),
        from: Cell::new(0),
        of_objects: Map::new(),
        objects: List::new(),
        named: Map::new(),
        names: List::new(),
        other_names: List::new(),
        builder: StrBuilder::new(),
        weak: List::new(),
    });
    for _ in 0..RECENT {
        state.weak.push(WeakRef::new(Gc::new(Made { turn: -1 })));
    }
    for n in 0..SIZE as i64 {
        state.list.push(n);
        state.values.push(Value::Int(n));
        state.map.insert(n, n);
        state.thin.insert(n, n);
        state.objects.push(Gc::new(Made { turn: n }));
        state.of_objects.insert(state.objects.at(n as usize), n);
        state.names.push(name(n));
        state.other_names.push(name(n));
        state.named.insert(state.names.at(n as usize), n);
    }
    for n in (0..SIZE as i64).step_by(3) {
        state.thin.remove(n);
    }
    state.thin.compact();
    state
}

/// Which of the loops it is, for people.
fn location(which: i64) -> Location {
    let name = usize::try_from(which).ok().and_then(|n| LOOPS.get(n));
    match name {
        Some(name) => Location::new().function(*name),
        None => Location::new(),
    }
}

#[portal(location = location)]
fn run(which: i64, turns: i64, queue: &FinalQueue<Gc<Made>>) -> i64 {
    let state = state();
    let (mut turn, mut sum) = (0, 0);
    loop {
        merge_point!(greens = [which], reds = [state, turns, queue, turn, sum]);
        if turn >= turns {
            return sum;
        }
        let found = instruction(which, state, turn, queue);
        sum = found.wrapping_add(sum);
        turn += 1;
        can_enter_jit!();
    }
}

fn instruction(which: i64, state: Gc<State>, turn: i64, queue: &FinalQueue<Gc<Made>>) -> i64 {
    let (list, map) = (state.list, state.map);
    let at = turn as usize & (SIZE - 1);
    match which {
        0 => push(list, turn),
        1 => pop(list),
        2 => stack(list, turn),
        3 => {
            let item = list.at(at);
            list.set(at, item + 1);
            item
        }
        4 => on_values(state.values, turn),
        5 => map.get(at as i64).unwrap_or(0),
        6 => map.get(7).unwrap_or(0),
        7 => map.insert(at as i64, turn).unwrap_or(0),
        8 => {
            if map.len() >= 4 * SIZE {
                map.clear();
            }
            map.insert(turn, turn);
            map.get(7).unwrap_or(1)
        }
        9 => state.named.get(state.names.at(at)).unwrap_or(0),
        10 => state.named.get(state.other_names.at(at)).unwrap_or(0),
        11 => {
            let number = map.entry_from(at).unwrap_or(0);
            map.key_at(number).wrapping_mul(3) ^ map.value_at(number)
        }
        12 => walk(state),
        13 => next(map, at as i64),
        14 => map.get_or_insert_promoted(7, turn),
        15 => {
            let number = map.entry_or_insert(at as i64, 0);
            map.set_value_at(number, map.value_at(number).wrapping_add(turn));
            number as i64
        }
        16 => state.of_objects.get(state.objects.at(at)).unwrap_or(0),
        17 => {
            let (one, other) = (state.objects.at(at), state.objects.at(at ^ 1));
            (identity_hash(one) != identity_hash(other)) as i64 + turn
        }
        18 => build(state.builder, turn),
        19 => remember(state.weak, turn),
        _ => {
            watch(queue, turn);
            match next_dead(queue) {
                Some(made) => (made.turn < turn) as i64,
                None => 0,
            }
        }
    }
}

/// Adds an item; removes all when there are many.
fn push(list: Gc<List<i64>>, item: i64) -> i64 {
    if list.len() >= SIZE {
        list.clear();
    }
    list.push(item);
    item
}

/// Removes an item; adds many when there is none.
fn pop(list: Gc<List<i64>>) -> i64 {
    match list.pop() {
        Some(item) => item,
        None => {
            refill(list);
            0
        }
    }
}

#[opaque]
fn refill(list: Gc<List<i64>>) {
    (0..SIZE as i64).for_each(|n| list.push(n));
}

/// The code of a stack machine for `a + b - a`.
fn stack(list: Gc<List<i64>>, turn: i64) -> i64 {
    list.push(turn);
    list.push(3);
    let b = list.pop().unwrap_or(0);
    let a = list.pop().unwrap_or(0);
    list.push(a.wrapping_add(b));
    list.push(a);
    let b = list.pop().unwrap_or(0);
    let a = list.pop().unwrap_or(0);
    a.wrapping_sub(b)
}

/// Takes a value from the end, and puts another one there.
fn on_values(values: Gc<List<Value>>, turn: i64) -> i64 {
    let found = match values.pop() {
        Some(Value::Int(n)) => n,
        Some(Value::Float(x)) => x as i64,
        Some(Value::Text(text)) => text.len() as i64,
        Some(Value::Nil) | None => 0,
    };
    values.push(Value::Int(found.wrapping_add(turn)));
    found
}

/// A step of a walk by entry numbers, which begins again at the end.
fn walk(state: Gc<State>) -> i64 {
    let thin = state.thin;
    match thin.entry_from(state.from.get()) {
        Some(number) => {
            state.from.set(number + 1);
            thin.key_at(number) ^ thin.value_at(number).wrapping_mul(3)
        }
        None => {
            state.from.set(0);
            1
        }
    }
}

/// The result of a guest's `next(table, key)` for a key that is there.
fn next(map: Gc<Map<i64, i64>>, key: i64) -> i64 {
    let from = match map.entry_or_retired(key) {
        Some(number) => number + 1,
        None => 0,
    };
    match map.entry_from(from) {
        Some(number) => map.key_at(number).wrapping_mul(3) ^ map.value_at(number),
        None => 0,
    }
}

/// Appends a byte; begins again when there are many.
fn build(builder: Gc<StrBuilder>, turn: i64) -> i64 {
    if builder.len() >= SIZE {
        builder.truncate(0);
    }
    builder.push_byte(b'a' + (turn & 15) as u8);
    builder.len() as i64
}

/// Makes an object, and answers whether the one that was made a few turns before is alive.
fn remember(weak: Gc<List<Gc<WeakRef<Gc<Made>>>>>, turn: i64) -> i64 {
    let at = turn as usize & (RECENT - 1);
    let alive = match weak.at(at).get() {
        Some(made) => (made.turn >= 0) as i64,
        None => 0,
    };
    weak.set(at, WeakRef::new(Gc::new(Made { turn })));
    alive
}

/// Makes an object that has a finalizer.
#[opaque]
fn watch(queue: &FinalQueue<Gc<Made>>, turn: i64) {
    queue.watch(Gc::new(Made { turn }));
}

/// The next object to be finalized.
#[opaque]
fn next_dead(queue: &FinalQueue<Gc<Made>>) -> Option<Gc<Made>> {
    queue.next()
}

/// A machine with these parameters.
///
/// # Errors
/// If the translated interpreter does not fit the program.
pub fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

/// The result of a loop after this many turns; none if there is no such loop.
pub fn turn(vm: &Vm, name: &str, turns: i64) -> Option<i64> {
    let which = LOOPS.iter().position(|known| *known == name)?;
    Some(vm.enter(|| run(which as i64, turns, &FinalQueue::new())))
}
