//! Values with the traits of serde.

use super::each;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use verdigris_lua::{Error, Value};

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Shape {
    Empty,
    Circle(f64),
    Box(i64, i64),
    Text { size: u8, text: String },
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Scene {
    name: String,
    shapes: Vec<Shape>,
    seen: BTreeMap<String, bool>,
    note: Option<String>,
    pair: (i64, Option<char>),
}

#[test]
fn data_comes_back_as_it_was() {
    each(|lua| {
        let scene = Scene {
            name: "ä".to_string(),
            shapes: vec![
                Shape::Empty,
                Shape::Circle(1.5),
                Shape::Box(1, -2),
                Shape::Text {
                    size: 9,
                    text: "x".to_string(),
                },
            ],
            seen: BTreeMap::from([("a".to_string(), true)]),
            note: None,
            pair: (7, Some('y')),
        };
        let value = lua.to_value(&scene).unwrap();
        lua.globals().set("scene", &value).unwrap();
        assert_eq!(lua.from_value::<Scene>(value).unwrap(), scene);
        let text = "scene.shapes[1] == 'Empty' and scene.shapes[2].Circle == 1.5 and scene.shapes[3].Box[2] == -2
            and scene.shapes[4].Text.size == 9 and scene.seen.a and scene.note == nil";
        assert!(lua.load(text).eval::<bool>().unwrap());
        lua.load("scene.note = 'new' scene.shapes = {'Empty'} scene.pair = {1}")
            .exec()
            .unwrap();
        let changed: Scene = lua.from_value(lua.globals().get("scene").unwrap()).unwrap();
        assert_eq!(changed.note.as_deref(), Some("new"));
        assert_eq!(
            (changed.shapes, changed.pair),
            (vec![Shape::Empty], (1, None))
        );
    });
}

#[test]
fn what_does_not_fit_is_an_error() {
    each(|lua| {
        let value = |text: &str| lua.load(text).eval::<Value>().unwrap();
        let error = lua.from_value::<Scene>(value("{}")).unwrap_err();
        assert_eq!(error.to_string(), "missing field `name`");
        assert!(lua.from_value::<u8>(value("256")).is_err());
        assert!(lua.from_value::<Shape>(value("'None'")).is_err());
        assert!(
            lua.from_value::<Shape>(value("{Circle = 1, Box = 2}"))
                .is_err()
        );
        let error = lua.from_value::<Value2>(value("print")).unwrap_err();
        assert!(matches!(error, Error::Serde(_)), "{error}");
        assert!(lua.to_value(&u64::MAX).is_err());
    });
}

#[test]
fn a_table_that_contains_itself_is_an_error() {
    each(|lua| {
        let value = lua
            .load("local t = {} t.t = t return t")
            .eval::<Value>()
            .unwrap();
        let error = lua.from_value::<serde_json::Value>(value).unwrap_err();
        assert_eq!(error.to_string(), "stack overflow");
    });
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum Value2 {
    #[allow(dead_code, reason = "only its type counts")]
    Number(f64),
}

#[test]
fn values_of_json_are_values_of_lua() {
    each(|lua| {
        let json: serde_json::Value =
            serde_json::json!({"a": [1, 2.5, "x", {"b": false}], "n": -1});
        let value = lua.to_value(&json).unwrap();
        assert_eq!(lua.from_value::<serde_json::Value>(value).unwrap(), json);
    });
}
