//! Errors and panics on their way through both languages.

use super::each;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_lua::{Error, ErrorContext, Function, Lua, Result, Table, Value};

#[derive(Debug, PartialEq)]
struct OutOfPaper(u32);

impl fmt::Display for OutOfPaper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tray {} is empty", self.0)
    }
}

impl std::error::Error for OutOfPaper {}

fn with_printing(lua: &Lua) {
    let print = |_: &Lua, tray: u32| Err::<(), _>(Error::external(OutOfPaper(tray)));
    lua.globals()
        .set("print_page", lua.create_function(print).unwrap())
        .unwrap();
}

#[test]
fn an_error_of_rust_comes_back_as_itself() {
    each(|lua| {
        with_printing(lua);
        let error = lua
            .load("local function page() print_page(3) end page()")
            .set_name("=t")
            .exec();
        let error = error.unwrap_err();
        assert_eq!(error.to_string(), "tray 3 is empty");
        assert_eq!(error.downcast_ref(), Some(&OutOfPaper(3)));
        assert_eq!(
            std::error::Error::source(&error).unwrap().downcast_ref(),
            Some(&OutOfPaper(3))
        );
        let traceback = error.traceback().unwrap();
        assert!(traceback.contains("t:1: in"), "{traceback}");
    });
}

#[test]
fn programs_see_the_text_of_an_error_of_rust() {
    each(|lua| {
        with_printing(lua);
        let text = "local ok, e = pcall(print_page, 4) return ok, tostring(e), 'because ' .. e, type(e), e";
        let values = lua
            .load(text)
            .eval::<(bool, String, String, String, Error)>()
            .unwrap();
        let (ok, shown, joined, kind, error) = values;
        assert!(!ok);
        assert_eq!(
            (shown.as_str(), joined.as_str()),
            ("tray 4 is empty", "because tray 4 is empty")
        );
        assert_eq!(kind, "userdata");
        assert_eq!(error.downcast_ref(), Some(&OutOfPaper(4)));
        // Thrown again, it is still the same.
        let text = "local ok, e = pcall(print_page, 5) error(e)";
        assert_eq!(
            lua.load(text).exec().unwrap_err().downcast_ref(),
            Some(&OutOfPaper(5))
        );
    });
}

#[test]
fn an_error_goes_through_both_languages_again_and_again() {
    each(|lua| {
        with_printing(lua);
        let call = lua
            .create_function(|_, f: Function| f.call::<()>(()))
            .unwrap();
        lua.globals().set("call", call).unwrap();
        let text = "call(function() call(function() print_page(6) end) end)";
        let error = lua.load(text).exec().unwrap_err();
        assert_eq!(error.downcast_ref(), Some(&OutOfPaper(6)));
        assert!(matches!(error, Error::Callback { .. }));
        // So does a value of Lua, and the place of a message.
        let thrown = lua
            .load("local t = {} local ok, e = pcall(call, function() error(t) end) return e == t");
        assert!(thrown.eval::<bool>().unwrap());
        let error = lua
            .load("call(function() call(function() error('no') end) end)")
            .set_name("=t");
        assert_eq!(error.exec().unwrap_err().to_string(), "t:1: no");
        let bytes = lua.load(
            "local ok, e = pcall(call, function() error('\\xff', 0) end) return e == '\\xff'",
        );
        assert!(bytes.eval::<bool>().unwrap());
    });
}

#[test]
fn a_message_of_rust_has_the_place_of_the_call() {
    each(|lua| {
        let fail = lua
            .create_function(|_, ()| Err::<(), _>(Error::runtime("no luck")))
            .unwrap();
        lua.globals().set("fail", fail).unwrap();
        let error = lua.load("\nfail()").set_name("=t").exec().unwrap_err();
        assert_eq!(error.to_string(), "t:2: no luck");
        let caught = lua.load("select(2, pcall(fail))").eval::<String>().unwrap();
        assert_eq!(caught, "no luck");
    });
}

#[test]
fn errors_have_tracebacks() {
    each(|lua| {
        let text = "local function inner() error('no') end\nfunction outer() inner() end\nouter()";
        let error = lua.load(text).set_name("=t").exec().unwrap_err();
        assert_eq!(error.to_string(), "t:1: no");
        let traceback = error.traceback().unwrap().to_string();
        for part in [
            "stack traceback:",
            "t:1: in upvalue 'inner'",
            "t:2: in function 'outer'",
            "t:3: in main chunk",
        ] {
            assert!(traceback.contains(part), "{traceback}");
        }
        assert_eq!(format!("{error:#}"), format!("t:1: no\n{traceback}"));
        let Error::Runtime(error) = error else {
            panic!("{error}")
        };
        assert_eq!(error.message(), "t:1: no");
    });
}

#[test]
fn error_values_have_texts() {
    each(|lua| {
        let message = |text: &str| lua.load(text).exec().unwrap_err().to_string();
        assert_eq!(message("error({})"), "(error object is a table value)");
        assert_eq!(
            message("error(setmetatable({}, {__tostring = function() return 'said' end}))"),
            "said"
        );
        assert_eq!(message("error(12)"), "12");
        assert_eq!(message("error()"), "(error object is a nil value)");
    });
}

#[test]
fn texts_that_are_no_lua_are_told_apart() {
    each(|lua| {
        let error = lua.load("x = = 1").set_name("=t").exec().unwrap_err();
        let Error::Syntax {
            message,
            incomplete: false,
        } = error
        else {
            panic!("{error}")
        };
        assert_eq!(message, "t:1: unexpected symbol near '='");
        let error = lua.load("if x then").exec().unwrap_err();
        assert!(
            matches!(
                error,
                Error::Syntax {
                    incomplete: true,
                    ..
                }
            ),
            "{error}"
        );
        assert!(matches!(
            lua.load("x =").eval::<Value>(),
            Err(Error::Syntax { .. })
        ));
    });
}

#[test]
fn panics_go_on_in_rust() {
    each(|lua| {
        let panics = lua
            .create_function(|_, ()| -> Result<()> { std::panic::resume_unwind(Box::new(17)) })
            .unwrap();
        lua.globals().set("panics", panics).unwrap();
        for text in [
            "panics()",
            "pcall(panics)",
            "coroutine.wrap(panics)()",
            "for n = 1, 50 do if n == 50 then panics() end end",
        ] {
            let run = || lua.load(text).exec();
            let payload = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
            assert_eq!(payload.downcast_ref(), Some(&17), "{text}");
            // The machine goes on.
            assert_eq!(lua.load("1 + 1").eval::<i64>().unwrap(), 2);
        }
        // And so it does if a function of Rust catches one.
        let catches = lua
            .create_function(|_, f: Function| {
                Ok(catch_unwind(AssertUnwindSafe(|| f.call::<()>(()))).is_err())
            })
            .unwrap();
        lua.globals().set("catches", catches).unwrap();
        let text = "local n = 0 for i = 1, 30 do if catches(panics) then n = n + 1 end end
            return n, select(2, pcall(error, 'still'))";
        assert_eq!(
            lua.load(text).eval::<(i64, String)>().unwrap(),
            (30, "still".to_string())
        );
    });
}

#[test]
fn what_is_to_be_closed_sees_the_error() {
    each(|lua| {
        with_printing(lua);
        let text =
            "local t <close> = setmetatable({}, {__close = function(_, e) seen = tostring(e) end})
            print_page(8)";
        let error = lua.load(text).exec().unwrap_err();
        assert_eq!(error.downcast_ref(), Some(&OutOfPaper(8)));
        assert_eq!(
            lua.globals().get::<String>("seen").unwrap(),
            "tray 8 is empty"
        );
    });
}

#[test]
fn errors_are_given_contexts() {
    each(|lua| {
        let error = lua
            .load("error('no', 0)")
            .exec()
            .context("running")
            .unwrap_err();
        assert_eq!(error.to_string(), "running: no");
        let parsed = "x".parse::<i64>().context("reading");
        assert_eq!(
            parsed.unwrap_err().to_string(),
            "reading: invalid digit found in string"
        );
    });
}

#[test]
fn values_of_another_machine_are_refused() {
    each(|lua| {
        let other = Lua::new();
        let t = other.create_table().unwrap();
        assert!(matches!(lua.globals().set("t", &t), Err(Error::WrongLua)));
        let f = lua.load("return ...").into_function().unwrap();
        assert!(matches!(f.call::<()>(&t), Err(Error::WrongLua)));
        // An error object of one is its text in another.
        let error = other.load("error({})").exec().unwrap_err();
        let fails = lua
            .create_function(move |_, ()| Err::<(), _>(error.clone()))
            .unwrap();
        assert_eq!(
            fails.call::<()>(()).unwrap_err().to_string(),
            "(error object is a table value)"
        );
        drop(other);
        assert!(matches!(t.get::<Value>(1), Err(Error::LuaDropped)));
        let _: Option<Table> = None;
    });
}
