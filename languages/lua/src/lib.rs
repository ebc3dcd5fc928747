//! Lua 5.4 on Verdigris: the whole language and its library.
//!
//! In: a program as text. Out: what it prints. [`lexer`], [`parser`] and [`compile`] make bytecode,
//! which [`load`] takes to the heap; [`interp`] is the interpreter, which is translated into a JIT
//! at build time; [`table`], [`metatable`], [`shape`] and [`dict`] are what tables are; [`native`]
//! is the library; [`machine`] puts them together; [`embed`] is for Rust programs. Invariant: the
//! JIT changes how fast a program runs, nothing else.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

verdigris::include_jit!();

pub mod access;
pub mod arith;
pub mod asking;
pub mod ast;
pub mod calendar;
pub mod call;
pub mod chunk;
pub mod chunk_name;
pub mod collected;
pub mod compare;
pub mod compile;
pub mod computed;
pub mod concat;
pub mod condition;
pub mod dict;
pub mod dump;
#[cfg(embedding)]
pub mod embed;
pub mod fault;
pub mod finalize;
pub mod frame;
pub mod host;
pub mod interned;
pub mod interp;
pub mod iterate;
pub mod levels;
pub mod lexer;
pub mod load;
pub mod machine;
pub mod make;
pub mod meta;
pub mod metatable;
pub mod native;
pub mod number;
pub mod opcode;
pub mod operands;
pub mod output;
pub mod parser;
pub mod session;
pub mod shape;
pub mod shape_tree;
pub mod site;
pub mod sites;
pub mod stream;
pub mod string;
pub mod table;
pub mod value;
pub mod watch;

#[cfg(embedding)]
pub use embed::{
    AnyUserData, Bytes, Chunk, Error, ErrorContext, FromLua, FromLuaMulti, Function, IntoLua,
    IntoLuaMulti, Lua, LuaOptions, LuaString, MetaMethod, MultiValue, Pairs, Result, RuntimeError,
    SequenceValues, StdLib, Table, Thread, ThreadStatus, UserData, UserDataFields, UserDataMethods,
    Value, Variadic,
};
#[cfg(embedding)]
pub use verdigris::InterruptHandle;
