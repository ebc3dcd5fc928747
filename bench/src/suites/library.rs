//! The library's data structures in compiled code against Rust's own. In: the loops of
//! `examples/collections`. Out: nanoseconds a turn of the interpreter, of the JIT (first run in a
//! VM, and second run) and of the same loop over a `Vec`, a `HashMap` (with a hash as simple as the
//! library's) or a `String`. Processor time; the least of interleaved runs gives the ratios.
//! Invariant: both sides compute the same result.

use crate::measure::interleave::{Contestant, Race, Repeat, least, rounds, single, timed};
use crate::measure::record::Record;
use crate::measure::text::{align, ratio, row};
use crate::settings::Settings;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::hint::black_box;
use verdigris::{Options, Vm};

/// How many turns a loop is measured for.
const TURNS: i64 = 20_000_000;

/// The interpreter is measured for so much fewer.
const FEWER: i64 = 20;

/// The same loop in Rust.
type InRust = fn(i64) -> i64;

static LOOPS: [(&str, InRust); 12] = [
    ("push", push),
    ("pop", pop),
    ("stack", stack),
    ("get-set", get_set),
    ("values", values),
    ("map-get", map_get),
    ("map-same", map_same),
    ("map-put", map_put),
    ("map-new", map_new),
    ("map-text", |turns| map_text(turns, false)),
    ("map-other-text", |turns| map_text(turns, true)),
    ("builder", builder),
];

/// Measures and prints the table.
///
/// # Errors
/// If the results differ.
pub fn run(args: &Repeat, settings: &Settings) -> Result<Vec<Record>, String> {
    let mut rows = vec![row([
        "loop",
        "interp ns",
        "jit ns",
        "rust ns",
        "interp/jit",
        "jit/rust",
    ])];
    let (turns, runs) = match settings.quick {
        true => (TURNS / 1000, 1),
        false => (TURNS, args.runs),
    };
    let race = |&(name, rust): &(&'static str, InRust)| {
        let run = move |vm: &Vm, turns| {
            let no_loop = || format!("no loop `{name}`");
            timed(|| collections::turn(vm, name, turns).ok_or_else(no_loop))
        };
        let contestants: Vec<Contestant> = vec![
            single("interp", move || {
                let off = Options::parse("off").map_err(|error| error.to_string())?;
                Ok(run(&machine(off)?, turns / FEWER)?.scaled(FEWER as f64))
            }),
            Box::new(move || {
                let vm = machine(args.jit.clone())?;
                let cold = run(&vm, turns)?;
                Ok(vec![("jit-cold", cold), ("jit-warm", run(&vm, turns)?)])
            }),
            single("rust", move || timed(|| Ok(rust(black_box(turns))))),
        ];
        Race::new(name, turns, contestants)
    };
    let records = rounds("library", runs, LOOPS.iter().map(race).collect())?;
    for new in records.chunk_by(|a, b| a.benchmark == b.benchmark) {
        let [interp, jit, rust] = ["interp", "jit-warm", "rust"].map(|system| least(new, system));
        let nanoseconds = |seconds: Option<f64>| {
            let cell = |seconds: f64| format!("{:.2}", seconds * 1e9 / turns as f64);
            seconds.map_or("-".to_string(), cell)
        };
        let mut cells = vec![new[0].benchmark.clone()];
        cells.extend([interp, jit, rust].map(nanoseconds));
        cells.extend([ratio(interp, jit), ratio(jit, rust)]);
        rows.push(cells);
    }
    println!("{}", align(&rows));
    println!("the interpreter's times are those of fewer turns");
    Ok(records)
}

fn machine(options: Options) -> Result<Vm, String> {
    collections::machine(options).map_err(|error| error.to_string())
}

/// How many items there are.
const SIZE: usize = 1024;

/// The sum of what a loop's turns give.
fn sum(turns: i64, mut turn: impl FnMut(i64) -> i64) -> i64 {
    (0..turns).fold(0i64, |sum, n| sum.wrapping_add(turn(n)))
}

fn at(turn: i64) -> usize {
    turn as usize & (SIZE - 1)
}

fn numbers() -> Vec<i64> {
    black_box((0..SIZE as i64).collect())
}

#[inline(never)]
fn push(turns: i64) -> i64 {
    let mut list = numbers();
    sum(turns, |turn| {
        if list.len() >= SIZE {
            list.clear();
        }
        list.push(turn);
        turn
    })
}

#[inline(never)]
fn pop(turns: i64) -> i64 {
    let mut list = numbers();
    sum(turns, |_| match list.pop() {
        Some(item) => item,
        None => {
            list.extend(0..SIZE as i64);
            0
        }
    })
}

#[inline(never)]
fn stack(turns: i64) -> i64 {
    let mut list = numbers();
    sum(turns, |turn| {
        list.push(turn);
        list.push(3);
        let b = list.pop().unwrap_or(0);
        let a = list.pop().unwrap_or(0);
        list.push(a.wrapping_add(b));
        list.push(a);
        let b = list.pop().unwrap_or(0);
        let a = list.pop().unwrap_or(0);
        a.wrapping_sub(b)
    })
}

#[inline(never)]
fn get_set(turns: i64) -> i64 {
    let mut list = numbers();
    sum(turns, |turn| {
        let item = &mut list[at(turn)];
        *item += 1;
        *item - 1
    })
}

/// A value of a dynamic language. All but one kind are there so that the kind has to be looked at.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "the other kinds are never made")]
enum Value {
    Nil,
    Int(i64),
    Float(f64),
    Text(&'static str),
}

#[inline(never)]
fn values(turns: i64) -> i64 {
    let mut values: Vec<Value> = numbers().into_iter().map(Value::Int).collect();
    sum(turns, |turn| {
        let found = match values.pop() {
            Some(Value::Int(n)) => n,
            Some(Value::Float(x)) => x as i64,
            Some(Value::Text(text)) => text.len() as i64,
            Some(Value::Nil) | None => 0,
        };
        values.push(Value::Int(found.wrapping_add(turn)));
        found
    })
}

/// One multiplication for a word, and as many as there are words for text.
#[derive(Default)]
struct Simple(u64);

impl Hasher for Simple {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(8) {
            let word = word.iter().fold(0, |all, &byte| all << 8 | u64::from(byte));
            self.write_u64(word);
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    fn write_i64(&mut self, word: i64) {
        self.write_u64(word as u64);
    }
}

type Map<K> = HashMap<K, i64, BuildHasherDefault<Simple>>;

fn map() -> Map<i64> {
    black_box(numbers().into_iter().map(|n| (n, n)).collect())
}

#[inline(never)]
fn map_get(turns: i64) -> i64 {
    let map = map();
    sum(turns, |turn| {
        map.get(&(at(turn) as i64)).copied().unwrap_or(0)
    })
}

#[inline(never)]
fn map_same(turns: i64) -> i64 {
    let map = map();
    sum(turns, |_| map.get(&7).copied().unwrap_or(0))
}

#[inline(never)]
fn map_put(turns: i64) -> i64 {
    let mut map = map();
    sum(turns, |turn| map.insert(at(turn) as i64, turn).unwrap_or(0))
}

#[inline(never)]
fn map_new(turns: i64) -> i64 {
    let mut map = map();
    sum(turns, |turn| {
        if map.len() >= 4 * SIZE {
            map.clear();
        }
        map.insert(turn, turn);
        map.get(&7).copied().unwrap_or(1)
    })
}

#[inline(never)]
fn map_text(turns: i64, other: bool) -> i64 {
    let name = |n: i64| format!("a name with number {n}");
    let names: Vec<String> = (0..SIZE as i64).map(name).collect();
    let others: Vec<String> = (0..SIZE as i64).map(name).collect();
    let map: Map<&str> = names.iter().zip(0..).map(|(n, at)| (&**n, at)).collect();
    let keys = black_box(if other { &others } else { &names });
    sum(turns, |turn| {
        map.get(&*keys[at(turn)]).copied().unwrap_or(0)
    })
}

#[inline(never)]
fn builder(turns: i64) -> i64 {
    let mut text = black_box(String::new());
    sum(turns, |turn| {
        if text.len() >= SIZE {
            text.clear();
        }
        text.push((b'a' + (turn & 15) as u8) as char);
        text.len() as i64
    })
}
