//! Values of Rust as values of Lua, and back.

use super::each;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use verdigris_lua::{Bytes, Error, FromLua, IntoLua, Lua, LuaString, Value};

/// There and back.
fn same<T: IntoLua + FromLua + Clone + PartialEq + std::fmt::Debug>(lua: &Lua, value: T) {
    let in_lua = value.clone().into_lua(lua).unwrap();
    assert_eq!(T::from_lua(in_lua, lua).unwrap(), value);
    let f = lua.load("return ...").into_function().unwrap();
    assert_eq!(f.call::<T>(value.clone()).unwrap(), value);
    let same = lua.create_function(|_, value: T| Ok(value)).unwrap();
    assert_eq!(same.call::<T>(value.clone()).unwrap(), value);
}

#[test]
fn values_come_back_as_they_were() {
    each(|lua| {
        same(lua, true);
        same(lua, i64::MIN);
        same(lua, u8::MAX);
        same(lua, 7u64);
        same(lua, i128::from(i64::MAX));
        same(lua, 0.1);
        same(lua, 0.5f32);
        same(lua, "ä".to_string());
        same(lua, 'ß');
        same(lua, Bytes(vec![0, 255]));
        same(lua, Some(1));
        same(lua, None::<String>);
        same(lua, vec![1, 2, 3]);
        same(lua, [1.5, 2.5]);
        same(lua, vec![vec!["a".to_string()], vec![]]);
        same(lua, HashMap::from([("a".to_string(), 1)]));
        same(lua, BTreeMap::from([(1, vec![2]), (3, vec![])]));
        same(lua, HashSet::from([1, 2]));
        same(lua, BTreeSet::from(["x".to_string()]));
    });
}

#[test]
fn what_does_not_fit_is_an_error() {
    each(|lua| {
        let text = |text: &str| lua.load(text);
        let message = |error: Error| error.to_string();
        assert_eq!(
            message(text("300").eval::<u8>().unwrap_err()),
            "300 is out of range of u8"
        );
        assert_eq!(
            message(text("-1").eval::<u64>().unwrap_err()),
            "-1 is out of range of u64"
        );
        let error = text("1.5").eval::<i64>().unwrap_err();
        assert_eq!(message(error), "number has no integer representation");
        assert_eq!(
            message(text("{}").eval::<i64>().unwrap_err()),
            "number expected, got table"
        );
        assert_eq!(
            message(text("nil").eval::<String>().unwrap_err()),
            "string expected, got nil"
        );
        assert_eq!(
            message(text("1").eval::<Vec<i64>>().unwrap_err()),
            "table expected, got number"
        );
        let error = text("{1, 2}").eval::<[i64; 3]>().unwrap_err();
        assert_eq!(message(error), "3 items expected, got 2");
        assert!(text("'\\xff'").eval::<String>().is_err());
        assert!(text("'ab'").eval::<char>().is_err());
        assert!(text("{1, 'x'}").eval::<Vec<i64>>().is_err());
        assert!(matches!(u64::MAX.into_lua(lua), Err(Error::ToLua { .. })));
        assert!(lua.globals().set("x", u64::MAX).is_err());
    });
}

#[test]
fn numerals_are_numbers_and_numbers_are_strings() {
    each(|lua| {
        assert_eq!(lua.load("'0x10'").eval::<i64>().unwrap(), 16);
        assert_eq!(lua.load("'1e2'").eval::<i64>().unwrap(), 100);
        assert_eq!(lua.load("3.0").eval::<u8>().unwrap(), 3);
        assert_eq!(lua.load("' 2.5 '").eval::<f64>().unwrap(), 2.5);
        assert_eq!(lua.load("12").eval::<String>().unwrap(), "12");
        assert_eq!(lua.load("1.0").eval::<LuaString>().unwrap(), "1.0");
        assert!(lua.load("0").eval::<bool>().unwrap());
        assert!(!lua.load("nil").eval::<bool>().unwrap());
    });
}

#[test]
fn arguments_are_blamed_by_their_names_in_the_program() {
    each(|lua| {
        let f = lua.create_function(|_, (_, _): (i64, u8)| Ok(())).unwrap();
        lua.globals().set("f", f).unwrap();
        let message = |text: &str| {
            let text = format!("local ok, e = pcall(function() {text} end) return e");
            lua.load(text).set_name("=t").eval::<String>().unwrap()
        };
        assert_eq!(
            message("f('x')"),
            "t:1: bad argument #1 to 'f' (number expected, got string)"
        );
        assert_eq!(
            message("f(1)"),
            "t:1: bad argument #2 to 'f' (number expected, got no value)"
        );
        assert_eq!(
            message("f(1, 256)"),
            "t:1: bad argument #2 to 'f' (256 is out of range of u8)"
        );
    });
}

#[test]
fn values_of_any_type_are_compared_and_shown() {
    each(|lua| {
        let value = |text: &str| lua.load(text).eval::<Value>().unwrap();
        assert_eq!(value("1"), value("1.0"));
        assert_eq!(value("'a' .. 'b'"), value("'ab'"));
        assert_ne!(value("{}"), value("{}"));
        assert_eq!(value("print"), value("print"));
        assert_eq!(format!("{:?}", value("'a'")), "\"a\"");
        assert_eq!(format!("{:?} {:?}", value("nil"), value("1.0")), "nil 1.0");
        let names = ["nil", "true", "1", "1.5", "'x'", "{}", "print", "io.stdout"];
        let names = names.map(|text| value(text).type_name());
        let wanted = [
            "nil", "boolean", "number", "number", "string", "table", "function", "userdata",
        ];
        assert_eq!(names, wanted);
    });
}
