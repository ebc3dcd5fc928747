//! The generated Rust file. In: paths of class and function descriptors. Out: the text that `include_jit!` includes: one
//! function that names them all, and functions that only the translator knows. Invariant: the text has no `unsafe`, and compiles without warnings wherever the paths do.

use crate::Translation;
use std::fmt::Write;
use verdigris_front::tast::Support;

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
             ::verdigris::rt::ProgramParts {\n        \
                 unit: ::core::include_bytes!(::core::concat!(::core::env!(\"OUT_DIR\"), \"/verdigris.unit\")),\n        \
                 graphs: ::core::include_str!(::core::concat!(::core::env!(\"OUT_DIR\"), \"/verdigris.graph\")),\n",
    );
    let _ = writeln!(out, "        portal: &{},", translation.portal_glue);
    list(&mut out, "classes", &translation.class_glue);
    list(&mut out, "fns", &translation.fn_glue);
    let types = translation.types.iter();
    let types: Vec<String> = types
        .map(|(path, text)| format!("({path}, {text:?})"))
        .collect();
    list(&mut out, "types", &types);
    let places = translation.places.iter();
    let places: Vec<String> = places.map(|pair| format!("{pair:?}")).collect();
    list(&mut out, "places", &places);
    out.push_str("    }\n    .program()\n}\n");
    translation
        .supports
        .iter()
        .for_each(|f| support(&mut out, f));
    out
}

/// A function of the translator's own, and its descriptor.
fn support(out: &mut String, f: &Support) {
    let name = &f.name;
    let params = f.params.iter().enumerate();
    let params: Vec<String> = params.map(|(n, ty)| format!("p{n}: {ty}")).collect();
    let ret = f.ret.as_ref().map_or(String::new(), |r| format!(" -> {r}"));
    let holes = vec!["_"; f.params.len()].join(", ");
    let _ = write!(
        out,
        "\n#[allow(warnings, clippy::all)]\n\
         fn {name}({}){ret} {{\n    {}\n}}\n\n\
         fn {name}_descr() -> ::verdigris::rt::FnDescr {{\n    \
             ::verdigris::rt::FnDescr::new(\"{name}\", {name} as fn({holes}) -> _)\n}}\n",
        params.join(", "),
        f.body,
    );
}

fn list(out: &mut String, field: &str, paths: &[String]) {
    let _ = writeln!(out, "        {field}: &[");
    for path in paths {
        let _ = writeln!(out, "            {path},");
    }
    out.push_str("        ],\n");
}
