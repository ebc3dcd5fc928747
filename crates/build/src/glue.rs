//! The generated Rust file that `include_jit!` includes: the descriptors of classes and functions,
//! support functions, and probes of the standard library. It has no `unsafe` and compiles without
//! warnings.

use crate::translation::Translation;
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
    let red = translation.red_dispatch.as_deref().unwrap_or("");
    let _ = writeln!(out, "        red_dispatch: {red:?},");
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
    let advice = translation.advice.iter();
    let advice: Vec<String> = advice.map(|pair| format!("{pair:?}")).collect();
    list(&mut out, "advice", &advice);
    out.push_str("    }\n    .program()\n}\n");
    translation
        .supports
        .iter()
        .for_each(|f| support(&mut out, f));
    for (ty, name) in &translation.own_probes {
        out.push_str(&own_probe(ty, name));
    }
    out
}

/// What does not compile if a type of the standard library has something of this name itself: a
/// path to it means that, and not the trait that is declared here. The translator has taken a trait
/// of the crate's for what rustc would call.
fn own_probe(ty: &str, name: &str) -> String {
    format!(
        "\n#[allow(warnings, clippy::all)]\n\
         const _: () = {{\n    \
             struct TheStandardLibraryHasThisItselfSoCallItByItsTrait;\n    \
             trait Probe {{\n        \
                 fn {name}(&self) -> TheStandardLibraryHasThisItselfSoCallItByItsTrait;\n    }}\n    \
             impl Probe for {ty} {{\n        \
                 fn {name}(&self) -> TheStandardLibraryHasThisItselfSoCallItByItsTrait {{\n            \
                     TheStandardLibraryHasThisItselfSoCallItByItsTrait\n        }}\n    }}\n    \
             let _: fn(&{ty}) -> TheStandardLibraryHasThisItselfSoCallItByItsTrait = <{ty}>::{name};\n}};\n"
    )
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

#[cfg(test)]
mod tests {
    use super::own_probe;
    use std::process::{Command, Stdio};

    /// Whether rustc accepts a text.
    fn compiles(text: &str) -> bool {
        let dir = std::env::temp_dir().join(format!("verdigris-probe-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a directory can be made");
        let path = dir.join("probe.rs");
        std::fs::write(&path, text).expect("the text can be written");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let status = Command::new(rustc)
            .args([
                "--edition=2024",
                "--crate-type=lib",
                "--emit=metadata",
                "-Dwarnings",
            ])
            .arg("--out-dir")
            .arg(&dir)
            .arg(&path)
            .stderr(Stdio::null())
            .status()
            .expect("rustc can be run");
        std::fs::remove_dir_all(&dir).expect("the directory can be removed");
        status.success()
    }

    #[test]
    fn probes_fail_where_std_has_the_name() {
        let free = [
            ("u64", "frobnicate"),
            ("f64", "r#match"),
            ("::core::option::Option<()>", "frobnicate"),
            ("[(); 1]", "frobnicate"),
            ("str", "frobnicate"),
        ];
        let texts: String = free.iter().map(|(ty, name)| own_probe(ty, name)).collect();
        assert!(compiles(&texts), "{texts}");
        for (ty, name) in [
            ("u64", "unbounded_shl"),
            ("u64", "from_be"),
            ("u8", "is_ascii"),
            ("u8", "make_ascii_lowercase"),
            ("f64", "next_up"),
            ("::core::option::Option<()>", "take"),
            ("[(); 1]", "each_ref"),
            ("str", "trim"),
        ] {
            assert!(!compiles(&own_probe(ty, name)), "{ty} {name}");
        }
    }
}
