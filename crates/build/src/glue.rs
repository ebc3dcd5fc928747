//! The generated Rust file. In: paths of class and function descriptors. Out: the text that `include_jit!` includes: one
//! function that names them all. Invariant: the text has no `unsafe`, and compiles without warnings wherever the paths do.

use crate::Translation;
use std::fmt::Write;

/// The text of `verdigris.rs`.
pub fn text(translation: &Translation) -> String {
    let mut out = String::from("// Written by verdigris-build from");
    for file in &translation.files {
        let _ = write!(out, " {file}");
    }
    out.push_str(
        ".\n\n\
         /// The interpreter as the JIT sees it.\n\
         pub fn program() -> ::verdigris::rt::Program {\n    \
             ::verdigris::rt::Program {\n        \
                 unit: ::core::include_bytes!(::core::concat!(::core::env!(\"OUT_DIR\"), \"/verdigris.unit\")),\n        \
                 graphs: ::core::include_str!(::core::concat!(::core::env!(\"OUT_DIR\"), \"/verdigris.graph\")),\n",
    );
    list(&mut out, "classes", &translation.class_glue);
    list(&mut out, "fns", &translation.fn_glue);
    out.push_str("    }\n}\n");
    out
}

fn list(out: &mut String, field: &str, paths: &[String]) {
    let _ = writeln!(out, "        {field}: &[");
    for path in paths {
        let _ = writeln!(out, "            {path},");
    }
    out.push_str("        ],\n");
}
