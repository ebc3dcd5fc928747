//! Tables.

use super::each;
use std::collections::BTreeMap;
use verdigris_lua::{Table, Value};

#[test]
fn entries_are_set_and_read() {
    each(|lua| {
        let t = lua.create_table().unwrap();
        t.set("name", "x").unwrap();
        t.set(1, 2.5).unwrap();
        t.raw_set(true, t.clone()).unwrap();
        assert_eq!(t.get::<String>("name").unwrap(), "x");
        assert_eq!(t.raw_get::<f64>(1).unwrap(), 2.5);
        assert_eq!(t.get::<Table>(true).unwrap(), t);
        assert_eq!(t.get::<Option<i64>>("none").unwrap(), None);
        assert!(t.contains_key("name").unwrap() && !t.contains_key("none").unwrap());
        assert_eq!(
            t.set(Value::Nil, 1).unwrap_err().to_string(),
            "table index is nil"
        );
        assert_eq!(
            t.raw_set(f64::NAN, 1).unwrap_err().to_string(),
            "table index is NaN"
        );
        lua.globals().set("t", &t).unwrap();
        assert!(
            lua.load("t.name == 'x' and t[1] == 2.5 and t[true] == t")
                .eval::<bool>()
                .unwrap()
        );
    });
}

#[test]
fn lists_grow_and_shrink() {
    each(|lua| {
        let t = lua.create_sequence_from(["a", "b"]).unwrap();
        t.push("c").unwrap();
        assert_eq!((t.len().unwrap(), t.raw_len()), (3, 3));
        let items: Vec<String> = t.sequence_values().collect::<Result<_, _>>().unwrap();
        assert_eq!(items, ["a", "b", "c"]);
        assert_eq!(t.pop::<String>().unwrap(), "c");
        assert_eq!(t.raw_len(), 2);
        t.set("field", 1).unwrap();
        t.clear().unwrap();
        assert!(t.is_empty());
        assert_eq!(t.pop::<Value>().unwrap(), Value::Nil);
    });
}

#[test]
fn entries_are_walked_over() {
    each(|lua| {
        let t = lua.create_table_from([("a", 1), ("b", 2)]).unwrap();
        t.push(10).unwrap();
        lua.globals().set("t", &t).unwrap();
        lua.load("t.c = 3 t[2.5] = 4 t.a = nil").exec().unwrap();
        let mut seen = BTreeMap::new();
        for pair in t.pairs::<String, i64>() {
            let (key, value) = pair.unwrap();
            seen.insert(key, value);
        }
        let keys: Vec<&str> = seen.keys().map(String::as_str).collect();
        assert_eq!(keys, ["1", "2.5", "b", "c"]);
        assert!(t.pairs::<i64, i64>().any(|pair| pair.is_err()));
    });
}

#[test]
fn metatables_count() {
    each(|lua| {
        let t = lua.create_table().unwrap();
        let meta = lua.create_table().unwrap();
        let index = lua
            .create_function(|_, (_, key): (Table, String)| Ok(key + "!"))
            .unwrap();
        meta.set("__index", index).unwrap();
        meta.set("__len", lua.create_function(|_, _: Table| Ok(7)).unwrap())
            .unwrap();
        t.set_metatable(Some(meta.clone())).unwrap();
        assert_eq!(t.metatable(), Some(meta));
        assert_eq!(t.get::<String>("x").unwrap(), "x!");
        assert_eq!(t.raw_get::<Value>("x").unwrap(), Value::Nil);
        assert_eq!((t.len().unwrap(), t.raw_len()), (7, 0));
        t.set_metatable(None).unwrap();
        assert_eq!(t.get::<Value>("x").unwrap(), Value::Nil);
        let failing = lua.load("setmetatable({}, {__index = function() error('no', 0) end})");
        let failing = failing.eval::<Table>().unwrap();
        assert_eq!(failing.get::<Value>("x").unwrap_err().to_string(), "no");
        assert!(failing.contains_key("x").is_err());
        let text = "local meta = {__eq = function() return true end}
            return setmetatable({}, meta), setmetatable({}, meta)";
        let (a, b) = lua.load(text).eval::<(Table, Table)>().unwrap();
        assert!(a != b && a.equals(&b).unwrap());
    });
}

#[test]
fn functions_in_fields_are_called() {
    each(|lua| {
        let text = "{n = 2, add = function(self, m) return self.n + m end, twice = function(m) return 2 * m end}";
        let t = lua.load(text).eval::<Table>().unwrap();
        assert_eq!(t.call_method::<i64>("add", 40).unwrap(), 42);
        assert_eq!(t.call_function::<i64>("twice", 21).unwrap(), 42);
        assert!(t.call_function::<i64>("none", ()).is_err());
    });
}

#[test]
fn many_operations_are_done_at_once() {
    each(|lua| {
        let sum = lua.enter(|lua| {
            let t = lua.create_table()?;
            for n in 0..200 {
                t.set(format!("k{n}"), n)?;
            }
            t.pairs::<String, i64>()
                .try_fold(0, |sum, pair| pair.map(|(_, n)| sum + n))
        });
        assert_eq!(sum.unwrap(), 19900);
    });
}
