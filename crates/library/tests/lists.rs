//! Lists against `Vec`. In: random operations. Out: equal contents, results and panics, in an
//! ordinary heap and in one that collects at every allocation.

#![forbid(unsafe_code)]

use crate::quiet::attempt;
use proptest::prelude::*;
use verdigris::{List, Order, Stored, prelude::*};
use verdigris_heap::{HeapExhausted, HeapOptions, Stress, with_heap};

/// An item that the collector must keep.
#[gc]
struct Boxed {
    value: i64,
}

/// An item of several words whose zero is no value.
#[value]
#[derive(Clone, Copy)]
enum Value {
    Boxed(Gc<Boxed>),
    Plain(i64),
}

/// What lists of different items have in common for the tests.
trait Item: Stored {
    fn make(value: i64) -> Self;
    fn value(self) -> i64;
}

impl Item for i64 {
    fn make(value: i64) -> i64 {
        value
    }
    fn value(self) -> i64 {
        self
    }
}

impl Item for u8 {
    fn make(value: i64) -> u8 {
        value as u8
    }
    fn value(self) -> i64 {
        self as i64
    }
}

impl Item for Gc<Boxed> {
    fn make(value: i64) -> Gc<Boxed> {
        Gc::new(Boxed { value })
    }
    fn value(self) -> i64 {
        self.value
    }
}

impl Item for Value {
    fn make(value: i64) -> Value {
        match value % 2 {
            0 => Value::Plain(value),
            _ => Value::Boxed(Gc::new(Boxed { value })),
        }
    }
    fn value(self) -> i64 {
        match self {
            Value::Boxed(boxed) => boxed.value,
            Value::Plain(value) => value,
        }
    }
}

impl Order for Value {
    fn precedes(self, other: Self) -> bool {
        // By the tens only, so that equal items show whether the order is stable. It allocates, to
        // provoke collections.
        Value::make(1);
        self.value() / 10 < other.value() / 10
    }
}

#[derive(Clone, Debug)]
enum Act {
    Push(u8),
    Pop,
    Get(usize),
    At(usize),
    Set(usize, u8),
    Insert(usize, u8),
    Remove(usize),
    Swap(usize, usize),
    Truncate(usize),
    Slice(usize, usize),
    ExtendSelf,
    Reverse,
    Reserve(usize),
    Last,
}

fn act() -> impl Strategy<Value = Act> {
    let index = 0..12usize;
    prop_oneof![
        6 => any::<u8>().prop_map(Act::Push),
        2 => Just(Act::Pop),
        1 => index.clone().prop_map(Act::Get),
        1 => index.clone().prop_map(Act::At),
        1 => (index.clone(), any::<u8>()).prop_map(|(i, v)| Act::Set(i, v)),
        2 => (index.clone(), any::<u8>()).prop_map(|(i, v)| Act::Insert(i, v)),
        1 => index.clone().prop_map(Act::Remove),
        1 => (index.clone(), index.clone()).prop_map(|(a, b)| Act::Swap(a, b)),
        1 => index.clone().prop_map(Act::Truncate),
        1 => (index.clone(), index.clone()).prop_map(|(a, b)| Act::Slice(a, b)),
        1 => Just(Act::ExtendSelf),
        1 => Just(Act::Reverse),
        1 => index.prop_map(Act::Reserve),
        1 => Just(Act::Last),
    ]
}

/// The result, or the message of the panic.
fn outcome<R>(f: impl FnOnce() -> R) -> Result<R, String> {
    attempt(f).map_err(|payload| match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload
            .downcast::<&str>()
            .map_or_else(|_| "?".to_owned(), |text| text.to_string()),
    })
}

fn on_vec(vec: &mut Vec<i64>, act: &Act) -> Option<Vec<i64>> {
    let one = |value: Option<i64>| value.map(|v| vec![v]);
    match *act {
        Act::Push(v) => vec.push(v as i64),
        Act::Pop => return one(vec.pop()),
        Act::Get(i) => return one(vec.get(i).copied()),
        Act::At(i) => return one(Some(vec[i])),
        Act::Set(i, v) => vec[i] = v as i64,
        Act::Insert(i, v) => vec.insert(i, v as i64),
        Act::Remove(i) => return one(Some(vec.remove(i))),
        Act::Swap(a, b) => vec.swap(a, b),
        Act::Truncate(len) => vec.truncate(len),
        Act::Slice(a, b) => return Some(vec[a..b].to_vec()),
        Act::ExtendSelf => vec.extend_from_within(..),
        Act::Reverse => vec.reverse(),
        Act::Reserve(more) => vec.reserve(more),
        Act::Last => return one(vec.last().copied()),
    }
    None
}

fn on_list<T: Item>(list: Gc<List<T>>, act: &Act) -> Option<Vec<i64>> {
    let one = |value: Option<T>| value.map(|v| vec![v.value()]);
    let make = |v: u8| T::make(v as i64);
    match *act {
        Act::Push(v) => list.push(make(v)),
        Act::Pop => return one(list.pop()),
        Act::Get(i) => return one(list.get(i)),
        Act::At(i) => return one(Some(list.at(i))),
        Act::Set(i, v) => list.set(i, make(v)),
        Act::Insert(i, v) => list.insert(i, make(v)),
        Act::Remove(i) => return one(Some(list.remove(i))),
        Act::Swap(a, b) => list.swap(a, b),
        Act::Truncate(len) => list.truncate(len),
        Act::Slice(a, b) => return Some(list.slice(a, b).iter().map(T::value).collect()),
        Act::ExtendSelf => list.extend(list),
        Act::Reverse => list.reverse(),
        Act::Reserve(more) => list.reserve(more),
        Act::Last => return one(list.last()),
    }
    None
}

fn agree<T: Item>(acts: &[Act], stress: Stress) {
    let options = HeapOptions {
        stress,
        ..HeapOptions::default()
    };
    with_heap(options, || {
        let mut vec = Vec::new();
        let list = List::<T>::new();
        for act in acts {
            if vec.len() > 200 {
                break;
            }
            let wanted = outcome(|| on_vec(&mut vec, act));
            let found = outcome(|| on_list(list, act));
            match (&wanted, &found) {
                // Slices have several messages for the same mistake, one per form of the range.
                (Err(_), Err(_)) if matches!(act, Act::Slice(..)) => {}
                _ => assert_eq!(wanted, found, "{act:?}"),
            }
            let items: Vec<i64> = list.iter().map(T::value).collect();
            assert_eq!(items, vec, "after {act:?}");
            assert!(list.capacity() >= list.len());
            assert_eq!(list.is_empty(), vec.is_empty());
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn lists_are_like_vec(acts in prop::collection::vec(act(), 1..60)) {
        for stress in Stress::KINDS {
            agree::<i64>(&acts, stress);
            agree::<u8>(&acts, stress);
            agree::<Gc<Boxed>>(&acts, stress);
            agree::<Value>(&acts, stress);
        }
    }

    #[test]
    fn sorting_is_stable(values in prop::collection::vec(0i64..100, 0..40)) {
        for stress in Stress::KINDS {
            let options = HeapOptions { stress, ..HeapOptions::default() };
            with_heap(options, || {
                let list = List::new();
                values.iter().for_each(|&v| list.push(Value::make(v)));
                list.sort();
                let sorted: Vec<i64> = list.iter().map(Item::value).collect();
                let mut wanted = values.clone();
                wanted.sort_by_key(|v| v / 10);
                assert_eq!(sorted, wanted);
                let plain = List::from_slice(&values);
                plain.sort();
                let mut wanted = values.clone();
                wanted.sort();
                assert_eq!(plain.iter().collect::<Vec<i64>>(), wanted);
            });
        }
    }
}

#[test]
fn lists_come_from_arrays_and_are_searched() {
    with_heap(HeapOptions::default(), || {
        let array = GcArray::<Cell<i64>>::from_slice(&[3, 1, 2]);
        let list = List::from_array(array);
        assert_eq!(list.iter().collect::<Vec<_>>(), [3, 1, 2]);
        assert!(list.contains(1) && !list.contains(4));
        list.clear();
        assert!(list.is_empty() && !list.contains(1));
        assert_eq!(List::filled(2, 7u8).iter().collect::<Vec<_>>(), [7, 7]);
    });
}

#[test]
fn what_a_list_has_lost_is_collected() {
    let limit = HeapOptions {
        limit: 4 << 20,
        ..HeapOptions::default()
    };
    with_heap(limit, || {
        let lists: Vec<_> = (0..8).map(|_| Root::new(List::new())).collect();
        // Each list takes two megabytes and keeps its room.
        for list in &lists {
            let list = list.get();
            (0..2000).for_each(|value| list.push(Boxed::big(value)));
            while list.pop().is_some() {}
            assert!(list.capacity() >= 2000);
        }
    });
}

impl Boxed {
    /// A kilobyte.
    fn big(value: usize) -> GcArray<Cell<i64>> {
        GcArray::new(128, value as i64)
    }
}

#[test]
fn a_list_ends_at_the_heap_limit() {
    let limit = HeapOptions {
        limit: 4 << 20,
        ..HeapOptions::default()
    };
    let end = attempt(|| {
        with_heap(limit, || {
            let list = List::new();
            loop {
                list.push(Boxed::big(list.len()));
            }
        })
    });
    assert!(end.unwrap_err().is::<HeapExhausted>());
    // Popping makes room: many more fit through the same list.
    with_heap(limit, || {
        let list = List::new();
        for value in 0..100_000 {
            list.push(Boxed::big(value));
            if list.len() == 64 {
                while list.pop().is_some() {}
            }
        }
    });
}
