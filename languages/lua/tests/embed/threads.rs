//! Coroutines, from Rust and through Rust.

use super::each;
use verdigris_lua::{Error, Function, Lua, Thread, ThreadStatus};

#[test]
fn threads_are_resumed_with_values() {
    each(|lua| {
        let f = lua.load("local n = ... while true do n = n + coroutine.yield(n) if n > 100 then return 'end' end end");
        let thread = lua.create_thread(f.into_function().unwrap()).unwrap();
        assert_eq!(thread.status().unwrap(), ThreadStatus::Resumable);
        assert_eq!(thread.resume::<i64>(1).unwrap(), 1);
        assert_eq!(thread.resume::<i64>(10).unwrap(), 11);
        assert_eq!(thread.resume::<String>(100).unwrap(), "end");
        assert_eq!(thread.status().unwrap(), ThreadStatus::Finished);
        assert!(matches!(
            thread.resume::<()>(()),
            Err(Error::ThreadNotResumable)
        ));
    });
}

#[test]
fn an_error_ends_a_thread() {
    each(|lua| {
        let f = lua
            .load("coroutine.yield() error('no', 0)")
            .into_function()
            .unwrap();
        let thread = lua.create_thread(f).unwrap();
        thread.resume::<()>(()).unwrap();
        assert_eq!(thread.resume::<()>(()).unwrap_err().to_string(), "no");
        assert_eq!(thread.status().unwrap(), ThreadStatus::Finished);
    });
}

#[test]
fn programs_yield_through_functions_of_rust() {
    each(|lua| {
        let call = lua
            .create_function(|_, f: Function| f.call::<i64>(()))
            .unwrap();
        lua.globals().set("call", call).unwrap();
        let text = "
            local sum = 0
            local threads = {}
            for n = 1, 20 do
                threads[n] = coroutine.wrap(function()
                    return call(function() return n + call(function() return coroutine.yield(n) end) end)
                end)
                sum = sum + threads[n]()
            end
            for n = 20, 1, -1 do sum = sum + threads[n](1000) end
            return sum";
        assert_eq!(lua.load(text).eval::<i64>().unwrap(), 20420);
        // Errors behind it are those of the right call.
        let text = "
            local co = coroutine.wrap(function() return pcall(call, function() coroutine.yield() error('in', 0) end) end)
            co()
            local ok, e = pcall(error, 'out', 0)
            return e, select(2, co())";
        assert_eq!(
            lua.load(text).eval::<(String, String)>().unwrap(),
            ("out".into(), "in".into())
        );
    });
}

#[test]
fn a_thread_that_waits_in_rust_is_closed() {
    each(|lua| {
        let call = lua
            .create_function(|_, f: Function| f.call::<()>(()))
            .unwrap();
        lua.globals().set("call", call).unwrap();
        let text = "
            local co = coroutine.create(function()
                local t <close> = setmetatable({}, {__close = function() closed = true end})
                call(coroutine.yield)
                reached = true
            end)
            coroutine.resume(co)
            return coroutine.close(co), closed, reached, coroutine.status(co)";
        let (done, closed, reached, status) =
            lua.load(text).eval::<(bool, bool, bool, String)>().unwrap();
        assert_eq!(
            (done, closed, reached, status.as_str()),
            (true, true, false, "dead")
        );
    });
}

#[test]
fn threads_that_wait_in_rust_end_with_the_machine() {
    each(|lua| {
        let other = Lua::with(super::options("")).unwrap();
        let call = other
            .create_function(|_, f: Function| f.call::<()>(()))
            .unwrap();
        other.globals().set("call", call).unwrap();
        let text = "local co = coroutine.create(function() call(coroutine.yield) end) coroutine.resume(co) return co";
        let thread = other.load(text).eval::<Thread>().unwrap();
        assert_eq!(thread.status().unwrap(), ThreadStatus::Resumable);
        drop(other);
        assert!(matches!(thread.status(), Err(Error::LuaDropped)));
        lua.load("x = 1").exec().unwrap();
    });
}

#[test]
fn a_thread_that_is_garbage_leaves_the_others_alone() {
    each(|lua| {
        let call = lua
            .create_function(|_, f: Function| f.call::<()>(()))
            .unwrap();
        lua.globals().set("call", call).unwrap();
        let text = "
            for n = 1, 20 do
                call(function()
                    coroutine.wrap(function() call(function() call(coroutine.yield) end) end)()
                    collectgarbage()
                end)
            end
            call(function() local function inner() error('no') end inner() end)";
        let error = lua.load(text).set_name("=t").exec().unwrap_err();
        assert_eq!(error.to_string(), "t:8: no");
        let traceback = error.traceback().unwrap();
        assert!(traceback.contains("t:8: in"), "{traceback}");
    });
}

#[test]
fn a_thread_does_not_yield_through_another_machine() {
    each(|lua| {
        let other = Lua::new();
        let yields = lua.load("coroutine.yield").eval::<Function>().unwrap();
        let back = other
            .create_function(move |_, ()| yields.call::<()>(()))
            .unwrap();
        other.globals().set("back", back).unwrap();
        let through = other
            .load("local ok, e = pcall(back) return tostring(e)")
            .into_function()
            .unwrap();
        let through = lua
            .create_function(move |_, ()| through.call::<String>(()))
            .unwrap();
        lua.globals().set("through", through).unwrap();
        let text = "coroutine.wrap(function() local e = through() coroutine.yield(e) end)()";
        let said = lua.load(format!("return {text}")).eval::<String>().unwrap();
        assert!(
            said.contains("attempt to yield across a C-call boundary"),
            "{said}"
        );
        drop(lua.globals().set("through", 1));
        other.globals().set("back", 1).unwrap();
    });
}
