//! Machines: several on a thread, their options, their end.

use super::{SETTINGS, each, options};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use verdigris_lua::{Error, Function, Lua, LuaOptions, StdLib, UserData, Value};

/// What was written.
#[derive(Clone, Default)]
struct Page(Rc<RefCell<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Page {
    fn text(&self) -> String {
        String::from_utf8(self.0.take()).expect("text")
    }
}

#[test]
fn machines_on_a_thread_share_nothing() {
    for setting in SETTINGS {
        let (first, second) = (Page::default(), Page::default());
        let a = Lua::with(options(setting).output(first.clone())).unwrap();
        let b = Lua::with(options(setting).output(second.clone())).unwrap();
        a.load("x = 'a' math.randomseed(1) r = math.random(1000)")
            .exec()
            .unwrap();
        b.load("x = 'b' math.randomseed(1) math.random(1000)")
            .exec()
            .unwrap();
        a.load("print(x, math.random(1000))").exec().unwrap();
        b.load("print(x, math.random(1000))").exec().unwrap();
        let (a, b) = (first.text(), second.text());
        assert_eq!((&a[..1], &b[..1]), ("a", "b"));
        assert_eq!(a[1..], b[1..], "each has its own random numbers");
    }
}

/// Each has its own, and what the machine itself keeps is there for them.
#[test]
fn finalizers_are_called_when_a_machine_ends() {
    for setting in SETTINGS {
        let (first, second) = (Page::default(), Page::default());
        let a = Lua::with(options(setting).output(first.clone())).unwrap();
        let b = Lua::with(options(setting).output(second.clone())).unwrap();
        let double = a.create_function(|_, n: i64| Ok(2 * n)).unwrap();
        a.globals().set("double", double).unwrap();
        a.load("local mt = {__gc = function(t) print(t.name, double(4)) end} \
                kept, other = setmetatable({name = 'kept'}, mt), setmetatable({name = 'other'}, mt)")
            .exec()
            .unwrap();
        b.load("kept = setmetatable({}, {__gc = function() print('b') error('lost') end})")
            .exec()
            .unwrap();
        drop(b);
        assert_eq!(second.text(), "b\n", "{setting}");
        assert_eq!(first.text(), "", "{setting}");
        drop(a);
        assert_eq!(first.text(), "other\t8\nkept\t8\n", "{setting}");
    }
}

#[test]
fn machines_call_each_other() {
    for setting in SETTINGS {
        let (first, second) = (Page::default(), Page::default());
        let a = Lua::with(options(setting).output(first.clone())).unwrap();
        let b = Lua::with(options(setting).output(second.clone())).unwrap();
        let count = a.load("local n = 0 return function(m) n = n + m print(n) return n end");
        let count = count.eval::<Function>().unwrap();
        let there = b
            .create_function(move |_, m: i64| count.call::<i64>(m))
            .unwrap();
        b.globals().set("there", there).unwrap();
        b.load("function again(n) if n == 0 then error('end', 0) end print('b', n) return there(n) end").exec().unwrap();
        let again: Function = b.globals().get("again").unwrap();
        let back = a
            .create_function(move |_, n: i64| again.call::<i64>(n))
            .unwrap();
        a.globals().set("back", back).unwrap();
        let text = "local s = 0 for n = 1, 3 do s = s + back(n) end local ok, e = pcall(back, 0) return s, tostring(e)";
        assert_eq!(
            a.load(text).eval::<(i64, String)>().unwrap(),
            (10, "end".to_string())
        );
        assert_eq!(first.text(), "1\n3\n6\n");
        assert_eq!(second.text(), "b\t1\nb\t2\nb\t3\n");
        drop(a);
        assert!(matches!(
            b.load("again(1)").exec().unwrap_err().root_cause(),
            Error::LuaDropped
        ));
    }
}

#[test]
fn a_sandbox_has_nothing_that_leaves_it() {
    let lua = Lua::sandboxed();
    let text = "
        local out = {}
        for _, name in ipairs {'io', 'debug', 'package', 'require', 'loadfile', 'dofile', 'arg'} do
            if _G[name] ~= nil then out[#out + 1] = name end
        end
        for _, name in ipairs {'execute', 'exit', 'getenv', 'remove', 'rename', 'tmpname', 'setlocale'} do
            if os[name] ~= nil then out[#out + 1] = name end
        end
        for key, value in pairs(_G) do
            if type(value) == 'table' and key ~= '_G' then
                for name, value in pairs(value) do
                    if value == nil then out[#out + 1] = key .. name end
                end
            end
        end
        return table.concat(out, ' ')";
    assert_eq!(lua.load(text).eval::<String>().unwrap(), "");
    let text = "load('return ' .. ('x'):rep(3))() == nil and type(os.time()) == 'number' and math.max(1, 2) == 2
        and #utf8.char(228) == 2 and coroutine.wrap(function() return true end)()";
    assert!(lua.load(text).eval::<bool>().unwrap());
}

#[test]
fn parts_of_the_library_are_left_out() {
    let lua = Lua::with(LuaOptions::new().libraries(StdLib::STRING | StdLib::MATH)).unwrap();
    let has = |name: &str| lua.globals().contains_key(name).unwrap();
    assert!(has("string") && has("math") && has("print") && has("load"));
    assert!(!has("table") && !has("os") && !has("coroutine") && !has("utf8"));
    let none = Lua::with(LuaOptions::new().libraries(StdLib::NONE)).unwrap();
    assert!(none.load("('x'):rep(3)").eval::<Value>().is_err());
    assert!(StdLib::ALL.contains(StdLib::SANDBOX) && !StdLib::SANDBOX.contains(StdLib::OS));
}

#[test]
fn what_a_program_prints_goes_where_one_wants() {
    for setting in SETTINGS {
        let page = Page::default();
        let lua = Lua::with(options(setting).output(page.clone())).unwrap();
        lua.load("print('a', 1) io.write('b', 2, '\\n') io.stdout:write('c\\n')")
            .exec()
            .unwrap();
        assert_eq!(page.text(), "a\t1\nb2\nc\n");
    }
}

#[test]
fn a_writer_that_prints_itself_is_an_error() {
    struct Prints(Rc<RefCell<Option<Function>>>, Rc<RefCell<String>>);
    impl Write for Prints {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if let Some(print) = &*self.0.borrow() {
                *self.1.borrow_mut() = print.call::<()>("again").unwrap_err().to_string();
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (print, said) = (Rc::default(), Rc::default());
    let lua =
        Lua::with(LuaOptions::new().output(Prints(Rc::clone(&print), Rc::clone(&said)))).unwrap();
    *print.borrow_mut() = Some(lua.globals().get("print").unwrap());
    lua.load("print(1) print(2)").exec().unwrap();
    assert_eq!(
        *said.borrow(),
        "cannot write the output: the output is being written"
    );
    print.take();
}

#[test]
fn options_that_make_no_sense_are_errors() {
    let error = LuaOptions::new().jit("threshold=x").unwrap_err();
    assert!(matches!(error, Error::Options(_)), "{error}");
    assert!(matches!(
        Lua::with(LuaOptions::new().memory_limit(1 << 12)),
        Err(Error::Memory | Error::Options(_))
    ));
}

struct Noisy(
    Rc<RefCell<Vec<&'static str>>>,
    &'static str,
    Option<Function>,
);

impl UserData for Noisy {}

impl Drop for Noisy {
    fn drop(&mut self) {
        self.0.borrow_mut().push(self.1);
        if let Some(f) = &self.2 {
            assert!(matches!(f.call::<()>(()), Err(Error::LuaDropped)));
        }
    }
}

#[test]
fn everything_is_dropped_with_the_machine() {
    for setting in SETTINGS {
        let said = Rc::default();
        let lua = Lua::with(options(setting)).unwrap();
        let f = lua.load("return 1").into_function().unwrap();
        let noisy = |name, f| Noisy(Rc::clone(&said), name, f);
        lua.globals()
            .set("kept", noisy("kept", Some(f.clone())))
            .unwrap();
        let captured = noisy("captured", None);
        let g = lua
            .create_function(move |_, ()| {
                let _ = &captured;
                Ok(())
            })
            .unwrap();
        lua.globals().set("g", g).unwrap();
        let clone = lua.clone();
        drop(lua);
        assert!(said.borrow().is_empty());
        drop(clone);
        let mut said = said.take();
        said.sort_unstable();
        assert_eq!(said, ["captured", "kept"]);
        assert!(matches!(f.call::<()>(()), Err(Error::LuaDropped)));
        drop(f);
    }
}

#[test]
fn a_machine_ends_with_its_thread() {
    thread_local! {
        static LUA: Lua = Lua::new();
    }
    let run = || LUA.with(|lua| lua.load("x = (x or 0) + 1 return x").eval::<i64>().unwrap());
    let both = std::thread::spawn(move || (run(), run())).join().unwrap();
    assert_eq!(both, (1, 2));
}

#[test]
fn a_clone_is_the_same_machine() {
    each(|lua| {
        let clone = lua.clone();
        clone.globals().set("x", 1).unwrap();
        assert_eq!(lua.globals().get::<i64>("x").unwrap(), 1);
        let keeps = lua
            .create_function(|lua, ()| Ok(lua.clone().globals()))
            .unwrap();
        let globals: verdigris_lua::Table = keeps.call(()).unwrap();
        assert_eq!(globals, lua.globals());
    });
}
