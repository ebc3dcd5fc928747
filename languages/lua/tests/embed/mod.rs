//! Lua in a Rust program, as users of the library have it: what they can do, and what goes wrong.
//! Each test runs without the JIT, with it, with everything compiled at once, and with collections
//! in between.

mod conversions;
mod document;
mod examples;
mod functions;
mod limits;
mod machines;
mod outcomes;
mod tables;
mod threads;
mod userdata;
#[cfg(feature = "serde")]
mod with_serde;

use verdigris_lua::{Lua, LuaOptions};
use verdigris_testing as _;

/// The settings of the JIT, all of which have to give the same.
pub const SETTINGS: [&str; 4] = [
    "off",
    "",
    "threshold=2,trace_eagerness=1",
    "threshold=2,trace_eagerness=1,stress=sparse",
];

/// Options with a setting.
pub fn options(setting: &str) -> LuaOptions {
    LuaOptions::new().jit(setting).expect("a setting")
}

/// Runs a test with a machine for each setting.
pub fn each(test: impl Fn(&Lua)) {
    for setting in SETTINGS {
        test(&Lua::with(options(setting)).expect("a machine"));
    }
}
