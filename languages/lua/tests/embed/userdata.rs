//! Values of Rust that programs work with.

use super::each;
use std::cell::Cell;
use std::rc::Rc;
use verdigris_lua::{
    AnyUserData, Error, Lua, MetaMethod, Result, UserData, UserDataFields, UserDataMethods, Value,
    Variadic,
};

#[derive(Clone, Copy, PartialEq, Debug)]
struct Point {
    x: f64,
    y: f64,
}

/// The point that a value is.
fn point(value: &Value) -> Result<Point> {
    match value {
        Value::UserData(userdata) => Ok(*userdata.borrow::<Point>()?),
        other => Err(Error::runtime(format!(
            "no point but a {}",
            other.type_name()
        ))),
    }
}

impl UserData for Point {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field("dimensions", 2);
        fields.add_field_method_get("x", |_, this| Ok(this.x));
        fields.add_field_method_get("y", |_, this| Ok(this.y));
        fields.add_field_method_set("x", |_, this, x| {
            this.x = x;
            Ok(())
        });
        fields.add_field_function_get("me", |_, this| Ok(this));
        fields.add_field_function_set("both", |_, this, value: f64| {
            let mut this = this.borrow_mut::<Point>()?;
            (this.x, this.y) = (value, value);
            Ok(())
        });
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("length", |_, this, ()| Ok(this.x.hypot(this.y)));
        methods.add_method_mut("move", |_, this, (x, y): (f64, f64)| {
            this.x += x;
            this.y += y;
            Ok(())
        });
        methods.add_function("zero", |_, ()| Ok(Point { x: 0.0, y: 0.0 }));
        methods.add_meta_function(MetaMethod::Add, |_, (a, b): (Value, Value)| {
            let (a, b) = (point(&a)?, point(&b)?);
            Ok(Point {
                x: a.x + b.x,
                y: a.y + b.y,
            })
        });
        methods.add_meta_method(MetaMethod::Unm, |_, this, _: Value| {
            Ok(Point {
                x: -this.x,
                y: -this.y,
            })
        });
        methods.add_meta_method(MetaMethod::Eq, |_, this, other: Value| {
            Ok(point(&other)? == *this)
        });
        methods.add_meta_method(MetaMethod::Lt, |_, this, other: Value| {
            Ok(this.x < point(&other)?.x)
        });
        methods.add_meta_method(MetaMethod::Le, |_, this, other: Value| {
            Ok(this.x <= point(&other)?.x)
        });
        methods.add_meta_method(MetaMethod::Len, |_, _, ()| Ok(2));
        methods.add_meta_method(MetaMethod::Concat, |_, this, text: String| {
            Ok(format!("{}{text}", this.x))
        });
        methods.add_meta_method(MetaMethod::Call, |_, this, by: f64| Ok(this.x * by));
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            Ok(format!("({}, {})", this.x, this.y))
        });
        methods.add_meta_method(MetaMethod::Index, |_, _, key: String| {
            Ok(format!("no {key}"))
        });
    }
}

fn with_points(lua: &Lua) {
    let new = |_: &Lua, (x, y): (f64, f64)| Ok(Point { x, y });
    lua.globals()
        .set("Point", lua.create_function(new).unwrap())
        .unwrap();
}

#[test]
fn programs_use_methods_and_fields() {
    each(|lua| {
        with_points(lua);
        let text = "
            local p = Point(0, 0)
            local sum = 0.0
            for n = 1, 60 do
                p:move(3, 4)
                sum = sum + p:length() - p.x + p.y * p.dimensions
            end
            p.x = 1
            return sum, p.x, p.me == p, p.zero():length(), p.nothing, type(p), tostring(p)";
        let (sum, x, me, zero, nothing, kind, shown) = lua
            .load(text)
            .eval::<(f64, f64, bool, f64, String, String, String)>()
            .unwrap();
        assert_eq!((sum, x, me, zero), (18300.0, 1.0, true, 0.0));
        assert_eq!(
            (nothing.as_str(), kind.as_str(), shown.as_str()),
            ("no nothing", "userdata", "(1, 240)")
        );
        let both = lua
            .load("local p = Point(1, 2) p.both = 5 return p.x + p.y")
            .eval::<f64>();
        assert_eq!(both.unwrap(), 10.0);
        let error = lua
            .load("Point(1, 2).z = 1")
            .set_name("=t")
            .exec()
            .unwrap_err();
        assert_eq!(error.to_string(), "t:1: attempt to set field 'z' of Point");
    });
}

#[test]
fn metamethods_are_those_of_rust() {
    each(|lua| {
        with_points(lua);
        let text = "
            local p, q = Point(1, 2), Point(1, 2)
            local r = p
            for n = 1, 50 do r = r + q end
            return r.x, (-r).y, p == q, p ~= r, p < r, p <= q, p > r, #p, p .. '!', p(10), rawequal(p, q)";
        type Answers = (
            f64,
            f64,
            bool,
            bool,
            bool,
            bool,
            bool,
            i64,
            String,
            f64,
            bool,
        );
        let answers = lua.load(text).eval::<Answers>().unwrap();
        let wanted = (
            51.0,
            -102.0,
            true,
            true,
            true,
            true,
            false,
            2,
            "1!".to_string(),
            10.0,
            false,
        );
        assert_eq!(answers, wanted);
        // They are keys by their identity.
        let text =
            "local p, q = Point(1, 2), Point(1, 2) local t = {[p] = 1} t[q] = 2 return t[p], t[q]";
        assert_eq!(lua.load(text).eval::<(i64, i64)>().unwrap(), (1, 2));
    });
}

#[test]
fn a_wrong_self_is_an_error() {
    each(|lua| {
        with_points(lua);
        struct Other;
        impl UserData for Other {}
        lua.globals().set("other", Other).unwrap();
        let message = |text: &str| {
            lua.load(text)
                .set_name("=t")
                .exec()
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            message("local p = Point(1, 2) p.length()"),
            "t:1: bad argument #1 to 'length' (Point expected, got no value)"
        );
        assert_eq!(
            message("local p = Point(1, 2) p.length({})"),
            "t:1: bad argument #1 to 'length' (Point expected, got table)"
        );
        assert_eq!(
            message("local p = Point(1, 2) p.length(other)"),
            "t:1: bad argument #1 to 'length' (Point expected, got userdata)"
        );
        assert_eq!(
            message("local p = Point(1, 2) p.length(io.stdout)"),
            "t:1: bad argument #1 to 'length' (Point expected, got userdata)"
        );
        assert_eq!(
            message("Point(1, 2):move(1)"),
            "t:1: bad argument #2 to 'move' (number expected, got no value)"
        );
        assert_eq!(
            message("local p = Point(1, 2) local f = {length = p.length} f:length()"),
            "t:1: calling 'length' on bad self (Point expected, got table)"
        );
        assert_eq!(
            message("return Point(1, 2) + {}"),
            "t:1: no point but a table"
        );
        assert_eq!(
            message("return Point(1, 2) .. {}"),
            "t:1: bad argument #2 to '?' (string expected, got table)"
        );
        assert_eq!(
            message("other.x = 1"),
            "t:1: attempt to index a Other value (global 'other')"
        );
        assert_eq!(
            message("return other + 1"),
            "t:1: attempt to perform arithmetic on a Other value (global 'other')"
        );
        assert_eq!(
            message("setmetatable(other, {})"),
            "t:1: bad argument #1 to 'setmetatable' (table expected, got Other)"
        );
        assert!(!lua.load("getmetatable(other)").eval::<bool>().unwrap());
    });
}

#[test]
fn rust_borrows_what_programs_have() {
    each(|lua| {
        let userdata = lua.create_userdata(Point { x: 1.0, y: 2.0 }).unwrap();
        assert!(userdata.is::<Point>() && !userdata.is::<String>());
        lua.globals().set("p", &userdata).unwrap();
        userdata.borrow_mut::<Point>().unwrap().y = 5.0;
        assert_eq!(lua.load("p.y").eval::<f64>().unwrap(), 5.0);
        let back: AnyUserData = lua.globals().get("p").unwrap();
        assert_eq!(back, userdata);
        assert!(matches!(
            back.borrow::<String>().unwrap_err(),
            Error::FromLua { .. }
        ));
        {
            let _read = userdata.borrow::<Point>().unwrap();
            assert!(back.borrow::<Point>().is_ok());
            assert!(matches!(
                back.borrow_mut::<Point>(),
                Err(Error::UserDataBorrowMut)
            ));
            assert!(matches!(
                back.take::<Point>(),
                Err(Error::UserDataBorrowMut)
            ));
            let error = lua.load("p:move(1, 1)").exec().unwrap_err();
            assert!(
                matches!(error.root_cause(), Error::UserDataBorrowMut),
                "{error}"
            );
            assert!(lua.load("p:length()").exec().is_ok());
        }
        {
            let _write = userdata.borrow_mut::<Point>().unwrap();
            let said = lua
                .load("select(2, pcall(p.length, p))")
                .eval::<Error>()
                .unwrap();
            assert_eq!(
                said.to_string(),
                "userdata is used while it is being changed"
            );
        }
        assert_eq!(userdata.take::<Point>().unwrap(), Point { x: 1.0, y: 5.0 });
        assert!(matches!(
            userdata.borrow::<Point>(),
            Err(Error::UserDataTaken)
        ));
        assert!(matches!(
            lua.load("p:length()").exec().unwrap_err().root_cause(),
            Error::UserDataTaken
        ));
        let file: AnyUserData = lua.load("io.stdout").eval().unwrap();
        assert!(!file.is::<Point>() && file.borrow::<Point>().is_err());
    });
}

/// Counts the values that there are.
struct Counted(Rc<Cell<i64>>);

impl Counted {
    fn new(alive: &Rc<Cell<i64>>) -> Counted {
        alive.set(alive.get() + 1);
        Counted(Rc::clone(alive))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl UserData for Counted {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("alive", |_, this, ()| Ok(this.0.get()));
    }
}

#[test]
fn values_are_dropped_when_the_program_has_them_no_more() {
    each(|lua| {
        let alive = Rc::new(Cell::new(0));
        let counted = Rc::clone(&alive);
        let new = lua
            .create_function(move |_, ()| Ok(Counted::new(&counted)))
            .unwrap();
        lua.globals().set("new", new).unwrap();
        lua.load("kept = new() for n = 1, 1000 do local c = new() assert(c:alive() > 0) end")
            .exec()
            .unwrap();
        lua.collect_garbage().unwrap();
        // A few may still be on the stack.
        assert!((1..10).contains(&alive.get()), "{}", alive.get());
        assert!(lua.load("kept:alive()").eval::<i64>().unwrap() >= 1);
    });
}

#[test]
fn a_userdata_that_calls_back_is_borrowed_meanwhile() {
    struct Caller(i64);
    impl UserData for Caller {
        fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
            methods.add_method(
                "call",
                |_, _, (f, args): (verdigris_lua::Function, Variadic<Value>)| f.call::<Value>(args),
            );
            methods.add_method_mut("call_mut", |_, this, f: verdigris_lua::Function| {
                this.0 += 1;
                f.call::<Value>(())
            });
            methods.add_method("value", |_, this, ()| Ok(this.0));
        }
    }
    each(|lua| {
        lua.globals().set("c", Caller(7)).unwrap();
        assert_eq!(
            lua.load("c:call(function() return c:value() end)")
                .eval::<i64>()
                .unwrap(),
            7
        );
        let error = lua
            .load("c:call_mut(function() return c:value() end)")
            .exec()
            .unwrap_err();
        assert!(
            matches!(error.root_cause(), Error::UserDataBorrow),
            "{error}"
        );
        assert_eq!(lua.load("c:value()").eval::<i64>().unwrap(), 8);
    });
}
