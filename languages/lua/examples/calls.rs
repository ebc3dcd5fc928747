//! What calls between Lua and Rust cost, in nanoseconds: `cargo run --release -p verdigris-lua
//! --example calls`. The figures are of the second run of each loop, whose code is compiled.

use std::time::Instant;
use verdigris_lua::{Function, Lua, Result, UserData, UserDataFields, UserDataMethods};

struct Counter(i64);

impl UserData for Counter {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("count", |_, this| Ok(this.0));
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method_mut("add", |_, this, by: i64| {
            this.0 += by;
            Ok(())
        });
    }
}

struct Plain(i64);

impl UserData for Plain {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("get", |_, this, ()| Ok(this.0));
    }
}

/// The nanoseconds of one of so many turns, in the second run.
fn nanoseconds(turns: u32, mut run: impl FnMut() -> Result<()>) -> Result<f64> {
    run()?;
    let begun = Instant::now();
    run()?;
    Ok(begun.elapsed().as_nanos() as f64 / f64::from(turns))
}

/// Measures each kind of call so many times, and prints what they cost.
///
/// # Errors
/// What goes wrong in the machine.
pub fn measure(turns: u32) -> Result<()> {
    let lua = Lua::new();
    let globals = lua.globals();
    globals.set("turns", turns)?;
    let add = lua.create_function(|_, (a, b): (i64, i64)| Ok(a + b))?;
    globals.set("add", add)?;
    let length = lua.create_function(|_, text: String| Ok(text.len()))?;
    globals.set("length", length)?;
    globals.set("counter", Counter(0))?;
    globals.set("plain", Plain(1))?;
    let loops = [
        ("a closure of Rust from Lua", "s = add(s, n)"),
        ("the same with a string", "s = s + length('text')"),
        ("a method of userdata", "s = s + plain:get()"),
        ("a method beside fields", "counter:add(n)"),
        ("a field of userdata", "s = s + counter.count"),
    ];
    for (name, body) in loops {
        let text = format!("local s = 0 for n = 1, turns do {body} end return s");
        let run = lua.load(text).into_function()?;
        let cost = nanoseconds(turns, || run.call::<()>(()))?;
        println!("{name}: {cost:.1}");
    }
    let f: Function = lua.load("return function(a, b) return a + b end").eval()?;
    let calls = || (0..turns).try_for_each(|n| f.call::<i64>((n, 1)).map(|_| ()));
    println!(
        "a function of Lua from Rust: {:.1}",
        nanoseconds(turns, calls)?
    );
    let cost = nanoseconds(turns, || lua.enter(|_| calls()))?;
    println!("the same within Lua::enter: {cost:.1}");
    let t = lua.create_table()?;
    let sets = || (0..turns).try_for_each(|n| t.set("key", n));
    println!("a field of a table: {:.1}", nanoseconds(turns, sets)?);
    println!(
        "the same within Lua::enter: {:.1}",
        nanoseconds(turns, || lua.enter(|_| sets()))?
    );
    Ok(())
}

#[allow(dead_code, reason = "the tests measure for a moment only")]
fn main() -> Result<()> {
    measure(10_000_000)
}
