//! A walk through the library: chunks, tables, functions, userdata, threads, errors.
//! `cargo run -p verdigris-lua --example tour`

use std::collections::BTreeMap;
use verdigris_lua::{
    Error, ErrorContext, Function, Lua, MetaMethod, Result, Table, Thread, UserData,
    UserDataFields, UserDataMethods, Value, Variadic,
};

/// Texts of programs.
fn chunks(lua: &Lua) -> Result<()> {
    lua.load("greeting = 'hello, ' .. 'world'").exec()?;
    let seven: i64 = lua.load("3 + 4").eval()?;
    let (half, text): (f64, String) = lua.load("1 / 2, ('ab'):rep(2)").eval()?;
    assert_eq!((seven, half, text.as_str()), (7, 0.5, "abab"));
    let area = lua
        .load("local w, h = ... return w * h")
        .set_name("@area.lua");
    assert_eq!(area.call::<i64>((6, 7))?, 42);
    assert_eq!(lua.globals().get::<String>("greeting")?, "hello, world");
    Ok(())
}

/// Tables, made by Rust and read by Lua, and the other way round.
fn tables(lua: &Lua) -> Result<()> {
    let stock = lua.create_table_from([("apple", 3), ("pear", 5)])?;
    stock.set("plum", 8)?;
    lua.globals().set("stock", &stock)?;
    let sum = "local s = 0 for _, n in pairs(stock) do s = s + n end return s";
    assert_eq!(lua.load(sum).eval::<i64>()?, 16);
    lua.load("stock.apple = nil stock[1] = 'first'").exec()?;
    for pair in stock.pairs::<Value, Value>() {
        let (key, value) = pair?;
        println!("  {key:?} = {value:?}");
    }
    // Collections of Rust are tables, too.
    let names: Vec<String> = lua.load("{'x', 'y', 'z'}").eval()?;
    assert_eq!(names, ["x", "y", "z"]);
    let sizes: BTreeMap<String, u8> = lua.load("{small = 1, large = 9}").eval()?;
    assert_eq!(sizes["large"], 9);
    // What does not fit is an error, not another number.
    assert!(
        lua.load("{small = 1, large = 900}")
            .eval::<BTreeMap<String, u8>>()
            .is_err()
    );
    Ok(())
}

/// Functions of Rust for Lua.
fn functions(lua: &Lua) -> Result<()> {
    let globals = lua.globals();
    let clamp = lua.create_function(|_, (n, low, high): (f64, f64, f64)| {
        if low > high {
            return Err(Error::runtime("the limits are the wrong way round"));
        }
        Ok(n.clamp(low, high))
    })?;
    globals.set("clamp", clamp)?;
    assert_eq!(lua.load("clamp(12, 0, 10)").eval::<f64>()?, 10.0);
    let longest = |_: &Lua, words: Variadic<String>| Ok(words.into_iter().max_by_key(String::len));
    globals.set("longest", lua.create_function(longest)?)?;
    assert_eq!(
        lua.load("longest('a', 'bcd', 'ef')").eval::<String>()?,
        "bcd"
    );
    assert!(lua.load("longest() == nil").eval::<bool>()?);
    // A function may change what it has captured.
    let mut ids = 0;
    let fresh = lua.create_function_mut(move |_, ()| {
        ids += 1;
        Ok(ids)
    })?;
    globals.set("fresh", fresh)?;
    assert_eq!(lua.load("fresh() return fresh()").eval::<i64>()?, 2);
    // It may take functions, keep them, and call them.
    let twice = |_: &Lua, (f, x): (Function, Value)| f.call::<Value>(f.call::<Value>(x)?);
    globals.set("twice", lua.create_function(twice)?)?;
    assert_eq!(
        lua.load("twice(function(n) return n * n end, 3)")
            .eval::<i64>()?,
        81
    );
    let print: Function = globals.get("print")?;
    print.bind("  from Rust:")?.call::<()>((1, true))?;
    Ok(())
}

/// An account that programs can use.
struct Account {
    owner: String,
    cents: i64,
}

impl UserData for Account {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("owner", |_, this| Ok(this.owner.clone()));
        fields.add_field_method_set("owner", |_, this, owner| {
            this.owner = owner;
            Ok(())
        });
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("balance", |_, this, ()| Ok(this.cents));
        methods.add_method_mut("pay", |_, this, cents: u32| {
            this.cents += i64::from(cents);
            Ok(())
        });
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            Ok(format!("{} has {} cents", this.owner, this.cents))
        });
    }
}

/// Values of Rust for Lua.
fn userdata(lua: &Lua) -> Result<()> {
    let account = lua.create_userdata(Account {
        owner: "Ada".to_string(),
        cents: 10,
    })?;
    lua.globals().set("account", &account)?;
    lua.load(
        "account:pay(32) account.owner = account.owner .. ' L.' print('  ' .. tostring(account))",
    )
    .exec()?;
    assert_eq!(account.borrow::<Account>()?.cents, 42);
    account.borrow_mut::<Account>()?.cents = 0;
    assert_eq!(lua.load("account:balance()").eval::<i64>()?, 0);
    assert_eq!(account.take::<Account>()?.owner, "Ada L.");
    assert!(lua.load("account:balance()").exec().is_err());
    Ok(())
}

/// Coroutines.
fn threads(lua: &Lua) -> Result<()> {
    let text = "coroutine.create(function(n) while true do n = n + coroutine.yield(n) end end)";
    let thread: Thread = lua.load(text).eval()?;
    assert_eq!(thread.resume::<i64>(10)?, 10);
    assert_eq!(thread.resume::<i64>(5)?, 15);
    Ok(())
}

/// Errors through both languages.
fn errors(lua: &Lua) -> Result<()> {
    let read = lua.create_function(|_, path: String| {
        std::fs::read_to_string(path).map_err(Error::external)
    })?;
    lua.globals().set("read", read)?;
    // The program sees a text, ..
    let said: String = lua
        .load("select(2, pcall(read, '/no/such/file'))")
        .eval::<Error>()?
        .to_string();
    // .. and who has called the program the error itself.
    let error = lua.load("read('/no/such/file')").exec().unwrap_err();
    let cause: &std::io::Error = error.downcast_ref().expect("it comes from there");
    assert_eq!(cause.kind(), std::io::ErrorKind::NotFound);
    assert_eq!(said, cause.to_string());
    let error = lua
        .load("local t = nil; t.x = 1")
        .set_name("=config")
        .exec();
    let error = error.context("the configuration is wrong").unwrap_err();
    println!("  {error:#}");
    assert!(
        error
            .to_string()
            .contains("config:1: attempt to index a nil value")
    );
    let caught: Table = lua.load("select(2, pcall(error, {code = 7}))").eval()?;
    assert_eq!(caught.get::<i64>("code")?, 7);
    Ok(())
}

/// Goes through all of it.
///
/// # Errors
/// What goes wrong in the machine.
pub fn main() -> Result<()> {
    let lua = Lua::new();
    type Part = fn(&Lua) -> Result<()>;
    let parts: [(&str, Part); 6] = [
        ("chunks", chunks),
        ("tables", tables),
        ("functions", functions),
        ("userdata", userdata),
        ("threads", threads),
        ("errors", errors),
    ];
    for (name, part) in parts {
        println!("{name}");
        part(&lua)?;
    }
    Ok(())
}
