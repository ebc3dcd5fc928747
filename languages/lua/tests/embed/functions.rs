//! Functions: of Lua called from Rust, and of Rust called from Lua.

use super::each;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verdigris_lua::{Error, Function, Lua, MultiValue, Result, Value, Variadic};

#[test]
fn chunks_are_run_and_give_values() {
    each(|lua| {
        lua.load("x = 20").exec().unwrap();
        assert_eq!(lua.load("x + 22").eval::<i64>().unwrap(), 42);
        assert_eq!(
            lua.load("local y = x return y, 'a'")
                .eval::<(i64, String)>()
                .unwrap(),
            (20, "a".into())
        );
        let sum = lua.load("local a, b = ... return a + b");
        assert_eq!(sum.call::<f64>((1.5, 2)).unwrap(), 3.5);
        let f = lua.load("return ...").into_function().unwrap();
        assert_eq!(f.call::<MultiValue>((1, "b")).unwrap().len(), 2);
        assert_eq!(f.call::<Option<i64>>(()).unwrap(), None);
    });
}

#[test]
fn a_chunk_has_the_environment_that_it_is_given() {
    each(|lua| {
        let environment = lua.create_table().unwrap();
        environment.set("x", 1).unwrap();
        let chunk = lua
            .load("x = x + 1 y = print")
            .set_environment(environment.clone());
        chunk.exec().unwrap();
        assert_eq!(environment.get::<i64>("x").unwrap(), 2);
        assert!(!environment.contains_key("y").unwrap());
        assert!(!lua.globals().contains_key("x").unwrap());
    });
}

#[test]
fn a_chunk_is_called_as_it_is_named() {
    each(|lua| {
        let error = lua
            .load("error 'no'")
            .set_name("@a.lua")
            .exec()
            .unwrap_err();
        assert_eq!(error.to_string(), "a.lua:1: no");
        let error = lua.load("error 'no'").exec().unwrap_err();
        assert_eq!(error.to_string(), "[string \"error 'no'\"]:1: no");
    });
}

#[test]
fn loops_call_functions_of_rust() {
    each(|lua| {
        let add = lua
            .create_function(|_, (a, b): (i64, i64)| Ok(a + b))
            .unwrap();
        lua.globals().set("add", add).unwrap();
        let text = "local s = 0 for n = 1, 300 do s = add(s, n) end return s";
        assert_eq!(lua.load(text).eval::<i64>().unwrap(), 45150);
    });
}

#[test]
fn functions_take_and_give_any_number_of_values() {
    each(|lua| {
        let globals = lua.globals();
        let join = |_: &Lua, (separator, words): (String, Variadic<String>)| {
            Ok((words.join(&separator), words.len()))
        };
        globals
            .set("join", lua.create_function(join).unwrap())
            .unwrap();
        let joined = lua
            .load("join('-', 'a', 'b', 3)")
            .eval::<(String, usize)>()
            .unwrap();
        assert_eq!(joined, ("a-b-3".to_string(), 3));
        let back =
            |_: &Lua, values: MultiValue| Ok(values.into_iter().rev().collect::<MultiValue>());
        globals
            .set("back", lua.create_function(back).unwrap())
            .unwrap();
        assert!(
            lua.load("local a, b, c = back(1, nil, 'x') return a == 'x' and b == nil and c == 1")
                .eval::<bool>()
                .unwrap()
        );
        let all = lua.load("select('#', back())").eval::<i64>().unwrap();
        assert_eq!(all, 0);
        let ends = lua
            .create_function(|_, ()| Ok(Variadic(vec![1, 2, 3])))
            .unwrap();
        assert_eq!(
            ends.call::<(i64, Variadic<i64>)>(()).unwrap(),
            (1, Variadic(vec![2, 3]))
        );
    });
}

#[test]
fn results_of_rust_are_values_or_nil_and_an_error() {
    each(|lua| {
        let half = |_: &Lua, n: i64| Ok(if n % 2 == 0 { Ok(n / 2) } else { Err("odd") });
        lua.globals()
            .set("half", lua.create_function(half).unwrap())
            .unwrap();
        let text = "local a = half(4) local b, why = half(3) return a, b, why";
        let (a, b, why) = lua.load(text).eval::<(i64, Value, String)>().unwrap();
        assert_eq!((a, b, why.as_str()), (2, Value::Nil, "odd"));
        let half: Function = lua.globals().get("half").unwrap();
        assert_eq!(
            half.call::<std::result::Result<i64, String>>(3).unwrap(),
            Err("odd".into())
        );
        assert_eq!(
            half.call::<std::result::Result<i64, String>>(8).unwrap(),
            Ok(4)
        );
    });
}

#[test]
fn functions_call_each_other_across_the_languages() {
    each(|lua| {
        let globals = lua.globals();
        let apply = |_: &Lua, (f, n): (Function, i64)| f.call::<i64>(n);
        globals
            .set("apply", lua.create_function(apply).unwrap())
            .unwrap();
        let text = "local s = 0
            for n = 1, 100 do s = s + apply(function(m) return apply(function(k) return k + 1 end, m) end, n) end
            return s";
        assert_eq!(lua.load(text).eval::<i64>().unwrap(), 5150);
        assert_eq!(lua.load("apply(math.abs, -3)").eval::<i64>().unwrap(), 3);
        let text = "local t = {3, 1, 2} table.sort(t, function(a, b) return apply(function() return a < b and 1 or 0 end, 0) == 1 end)
            return table.concat(t, ' ')";
        assert_eq!(lua.load(text).eval::<String>().unwrap(), "1 2 3");
    });
}

#[test]
fn a_mutable_function_is_not_called_while_it_runs() {
    each(|lua| {
        let mut count = 0;
        let counter = lua
            .create_function_mut(move |_, ()| {
                count += 1;
                Ok(count)
            })
            .unwrap();
        lua.globals().set("counter", &counter).unwrap();
        assert_eq!(
            lua.load("counter() return counter()")
                .eval::<i64>()
                .unwrap(),
            2
        );
        let again = lua
            .create_function_mut(|lua, ()| lua.load("again()").exec())
            .unwrap();
        lua.globals().set("again", again).unwrap();
        let error = lua.load("again()").exec().unwrap_err();
        assert!(
            matches!(error.root_cause(), Error::RecursiveCallback),
            "{error}"
        );
    });
}

#[test]
fn bound_arguments_come_first() {
    each(|lua| {
        let f = lua
            .load("return table.concat({...}, ' ')")
            .into_function()
            .unwrap();
        let bound = f.bind((1, "two")).unwrap();
        assert_eq!(bound.call::<String>(3).unwrap(), "1 two 3");
    });
}

#[test]
fn a_function_is_dropped_when_the_program_has_it_no_more() {
    each(|lua| {
        let held = Rc::new(());
        let kept = held.clone();
        let f = lua
            .create_function(move |_, ()| {
                let _ = &kept;
                Ok(())
            })
            .unwrap();
        assert_eq!(Rc::strong_count(&held), 2);
        lua.collect_garbage().unwrap();
        f.call::<()>(()).unwrap();
        drop(f);
        lua.collect_garbage().unwrap();
        // What was left on the stack may keep it: garbage of another turn takes its place.
        for _ in 0..100 {
            lua.load("local t = {} for n = 1, 100 do t[n] = {} end")
                .exec()
                .unwrap();
        }
        lua.collect_garbage().unwrap();
        assert_eq!(Rc::strong_count(&held), 1);
    });
}

#[test]
fn a_function_may_drop_the_machine_that_runs_it() {
    each(|lua| {
        let lua = Lua::with(super::options(
            if lua.vm().unwrap().stats().heap.heap_bytes > 0 {
                ""
            } else {
                "off"
            },
        ))
        .unwrap();
        let owner = Rc::new(RefCell::new(Some(lua.clone())));
        let own = owner.clone();
        let done = Rc::new(Cell::new(false));
        let is_done = done.clone();
        let f = lua
            .create_function(move |lua: &Lua, ()| {
                own.borrow_mut().take();
                lua.load("x = 1").exec()?;
                is_done.set(true);
                Ok(())
            })
            .unwrap();
        drop(lua);
        f.call::<()>(()).unwrap();
        assert!(done.get());
        assert!(matches!(f.call::<()>(()), Err(Error::LuaDropped)));
    });
}

#[test]
fn handles_are_kept_in_structures_of_rust() {
    struct Handlers(Vec<Function>);
    each(|lua| {
        let handlers = Rc::new(RefCell::new(Handlers(Vec::new())));
        let list = handlers.clone();
        let on = lua
            .create_function(move |_, f: Function| {
                list.borrow_mut().0.push(f);
                Ok(())
            })
            .unwrap();
        lua.globals().set("on", on).unwrap();
        lua.load("for n = 1, 20 do on(function(m) return n * m end) end")
            .exec()
            .unwrap();
        lua.collect_garbage().unwrap();
        let sums: Result<Vec<i64>> = handlers.borrow().0.iter().map(|f| f.call(10)).collect();
        assert_eq!(sums.unwrap().iter().sum::<i64>(), 2100);
    });
}

#[test]
fn a_function_is_dumped_and_made_again_elsewhere() {
    let lua = Lua::new();
    let add = lua.load("function(a, b) return a + b end");
    let add: Function = add.eval().unwrap();
    let bytes = add.dump(true).unwrap().expect("it is a program's");
    let other = Lua::new();
    let add = other.load(bytes).into_function().unwrap();
    assert_eq!(add.call::<i64>((3, 4)).unwrap(), 7);
    let print: Function = other.globals().get("print").unwrap();
    assert_eq!(print.dump(false).unwrap(), None);
}
