//! Memory, calls within each other, instructions, time.

use super::{SETTINGS, each, options};
use std::thread;
use verdigris_lua::{Error, Function, Lua, LuaOptions, StdLib, Value};

#[test]
fn too_much_memory_is_an_error() {
    for setting in ["off", "", "threshold=2,trace_eagerness=1"] {
        let lua = Lua::with(options(setting).memory_limit(8 << 20)).unwrap();
        let fill = "local t = {} for n = 1, 1e9 do t[n] = {n} end";
        let run = lua.load(fill).exec();
        assert!(matches!(run, Err(Error::Memory)), "{run:?}");
        assert_eq!(lua.load("1 + 1").eval::<i64>().unwrap(), 2);
        let text = format!("local ok, e = pcall(function() {fill} end) return ok, e");
        assert_eq!(
            lua.load(text).eval::<(bool, String)>().unwrap(),
            (false, "not enough memory".into())
        );
        assert!(matches!(
            lua.load("('x'):rep(1 << 27)").eval::<Value>(),
            Err(Error::Memory)
        ));
        let bytes = vec![0; 16 << 20];
        assert!(matches!(lua.create_string(&bytes), Err(Error::Memory)));
        // The same in a function of Rust, which goes on.
        let tries = lua
            .create_function(move |lua, ()| Ok(lua.create_string(&bytes).is_err()))
            .unwrap();
        assert!(tries.call::<bool>(()).unwrap());
        assert!(lua.used_memory().unwrap() < 8 << 20);
    }
}

const DEEP: &str = "local function f(n) return 1 + f(n + 1) end return f(0)";

/// Recursion without an end, in each way through both languages.
fn overflows(lua: &Lua) {
    let call = |_: &Lua, f: Function| f.call::<Value>(f.clone());
    lua.globals()
        .set("call", lua.create_function(call).unwrap())
        .unwrap();
    let texts = [
        DEEP,
        "local function f() return (call(f)) end return f()",
        "call(call)",
        "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) return t[1]",
        "local co = coroutine.wrap(function() local function f(n) return 1 + f(n) end return f(0) end) return co()",
        "local t t = setmetatable({}, {__tostring = function() return tostring(t) end}) return tostring(t)",
    ];
    for text in texts {
        let error = lua.load(text).exec().unwrap_err();
        assert!(
            error.to_string().contains("stack overflow"),
            "{text}: {error}"
        );
        let caught = format!("local ok, e = pcall(function() {text} end) return tostring(e)");
        let said = lua.load(caught).eval::<String>().unwrap();
        assert!(said.contains("stack overflow"), "{text}: {said}");
        assert_eq!(lua.load("1 + 1").eval::<i64>().unwrap(), 2);
    }
}

#[test]
fn too_many_calls_are_an_error_on_any_stack() {
    for bytes in [256 << 10, 1 << 20, 8 << 20] {
        let run = || {
            for setting in ["off", "", "threshold=2,trace_eagerness=1"] {
                overflows(&Lua::with(options(setting)).unwrap());
            }
        };
        let thread = thread::Builder::new().stack_size(bytes).spawn(run).unwrap();
        thread.join().unwrap();
    }
}

#[test]
fn the_depth_of_calls_is_bounded() {
    for setting in SETTINGS {
        let lua = Lua::with(options(setting).max_depth(300)).unwrap();
        let text = "local d = 0 local function f() d = d + 1 return 1 + f() end pcall(f) return d";
        let depth = lua.load(text).eval::<i64>().unwrap();
        assert!((250..=300).contains(&depth), "{depth}");
    }
}

#[test]
fn instructions_are_counted() {
    for setting in SETTINGS {
        let lua = Lua::with(options(setting).instruction_limit(10_000)).unwrap();
        for text in [
            "while true do end",
            "while true do pcall(function() while true do end end) end",
            "local function f() return f() end f()",
            "coroutine.wrap(function() while true do end end)()",
        ] {
            let run = lua.load(text).exec();
            assert!(
                matches!(run, Err(Error::OutOfInstructions)),
                "{text}: {run:?}"
            );
        }
        // Each call has as many.
        for _ in 0..10 {
            lua.load("for n = 1, 1000 do end").exec().unwrap();
        }
        let nested = lua
            .create_function(|lua, ()| lua.load("while true do end").exec())
            .unwrap();
        assert!(matches!(
            nested.call::<()>(()),
            Err(Error::OutOfInstructions)
        ));
        lua.set_instruction_limit(None).unwrap();
        lua.load("for n = 1, 20000 do end").exec().unwrap();
    }
}

#[test]
fn a_program_is_interrupted_from_another_thread() {
    for setting in ["off", "", "threshold=2,trace_eagerness=1"] {
        let lua = Lua::with(options(setting)).unwrap();
        let handle = lua.interrupt_handle().unwrap();
        let begun = lua.create_function(move |_, ()| {
            let handle = handle.clone();
            thread::spawn(move || handle.interrupt());
            Ok(())
        });
        lua.globals().set("begun", begun.unwrap()).unwrap();
        for text in [
            "begun() while true do end",
            "begun() while true do pcall(function() while true do end end) end",
            "begun() local function f() return f() end f()",
            "coroutine.wrap(function() begun() while true do end end)()",
        ] {
            let run = lua.load(text).exec();
            assert!(matches!(run, Err(Error::Interrupted)), "{text}: {run:?}");
            assert_eq!(lua.load("1 + 1").eval::<i64>().unwrap(), 2);
        }
    }
}

#[test]
fn an_interrupt_that_nobody_waits_for_is_taken_back() {
    each(|lua| {
        lua.interrupt_handle().unwrap().interrupt();
        lua.clear_interrupt().unwrap();
        lua.load("for n = 1, 100 do end").exec().unwrap();
        lua.interrupt_handle().unwrap().interrupt();
        assert!(matches!(
            lua.load("for n = 1, 100 do end").exec(),
            Err(Error::Interrupted)
        ));
        lua.load("for n = 1, 100 do end").exec().unwrap();
    });
}

#[test]
fn a_sandbox_has_all_limits_at_once() {
    let options = LuaOptions::new().libraries(StdLib::SANDBOX);
    let options = options
        .memory_limit(4 << 20)
        .instruction_limit(100_000)
        .max_depth(200);
    let lua = Lua::with(options).unwrap();
    assert!(lua.load("while true do end").exec().is_err());
    assert!(
        lua.load("local s = 'x' while true do s = s .. s end")
            .exec()
            .is_err()
    );
    assert!(lua.load(DEEP).exec().is_err());
    assert_eq!(lua.load("('ok'):upper()").eval::<String>().unwrap(), "OK");
}
