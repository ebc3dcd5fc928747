//! What to use in place of what traced code has not: types, functions and macros of the standard
//! library.
//!
//! In: a type or a path as the source has it. Out: what the help says, with what can be pasted;
//! none for what is not known here, whose help is that of the table. Invariant: what is named
//! exists in `verdigris::prelude`.

/// In place of a type.
pub(super) fn of_type(ty: &str) -> Option<String> {
    let ty = ty.trim_start_matches('&').trim_start_matches("mut ");
    let (head, args) = match ty.split_once('<') {
        Some((head, args)) => (head, args.strip_suffix('>').unwrap_or(args)),
        None => (ty, ""),
    };
    let name = head.rsplit("::").next().unwrap_or(head).trim();
    Some(match name {
        _ if ty.starts_with('[') => {
            "a `GcArray` keeps items on the heap of the VM, and `[T; N]` in locals; a slice can only be handed on to a function marked `#[opaque]`"
                .to_owned()
        }
        "Vec" | "VecDeque" => {
            let item = on_heap(args);
            format!(
                "use `Gc<List<{item}>>`, which grows, or `GcArray<Cell<{item}>>`; a `Vec` can only be used in a function marked `#[opaque]`"
            )
        }
        "String" | "str" | "OsString" | "PathBuf" | "Path" => {
            "use `Gc<Str>`, or `Gc<StrBuilder>` to put one together; texts of Rust can only be used in a function marked `#[opaque]`"
                .to_owned()
        }
        "Box" | "Rc" | "Arc" if args.starts_with("dyn ") => {
            "write an enum with a variant for each case, or an `#[object]` type, whose `kind()` is matched; a closure can be passed as `impl Fn(..)`"
                .to_owned()
        }
        "Box" | "Rc" | "Arc" if matches!(args, "str" | "String") => {
            "use `Gc<Str>`".to_owned()
        }
        "Box" | "Rc" | "Arc" => match inner(args, "RefCell") {
            Some(inner) => format!(
                "use `Gc<{inner}>`, put `#[gc]` on the struct, and make what changes in it a `Cell`"
            ),
            None => format!("use `Gc<{args}>`, and put `#[gc]` on the struct"),
        },
        "HashMap" | "BTreeMap" => format!(
            "use `Gc<Map<{}>>`; a `{name}` can only be used in a function marked `#[opaque]`",
            on_heap(args)
        ),
        "HashSet" | "BTreeSet" => format!(
            "use `Gc<Map<{}, bool>>`; a `{name}` can only be used in a function marked `#[opaque]`",
            on_heap(args)
        ),
        "RefCell" | "OnceCell" | "Mutex" | "RwLock" => format!(
            "use `Cell<{args}>` of `verdigris::prelude`, as a field of a `#[gc]` struct"
        ),
        "f32" => "use `f64`".to_owned(),
        "i128" | "u128" => {
            "use `i64` or `u64`, and compute with more bits in a function marked `#[elidable]`"
                .to_owned()
        }
        _ if name.starts_with("Atomic") => {
            "read and change it in functions marked `#[opaque]`".to_owned()
        }
        _ => return None,
    })
}

/// Types between `<` and `>`, as the heap of the VM has them.
fn on_heap(args: &str) -> String {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in args.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&args[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&args[start..]);
    let parts: Vec<String> = parts
        .into_iter()
        .map(|part| one_on_heap(part.trim()))
        .collect();
    parts.join(", ")
}

fn one_on_heap(ty: &str) -> String {
    let (head, args) = match ty.split_once('<') {
        Some((head, args)) => (head, args.strip_suffix('>').unwrap_or(args)),
        None => (ty, ""),
    };
    let name = head.rsplit("::").next().unwrap_or(head).trim();
    let is_dyn = args.starts_with("dyn ");
    match name {
        "String" | "&str" | "&'static str" => "Gc<Str>".to_owned(),
        "Vec" | "VecDeque" => format!("Gc<List<{}>>", on_heap(args)),
        "HashMap" | "BTreeMap" => format!("Gc<Map<{}>>", on_heap(args)),
        "Box" | "Rc" | "Arc" if matches!(args, "str" | "String") => "Gc<Str>".to_owned(),
        "Box" | "Rc" | "Arc" if !is_dyn => {
            format!("Gc<{}>", inner(args, "RefCell").unwrap_or(args))
        }
        _ => ty.to_owned(),
    }
}

/// The argument of a type with this name.
fn inner<'a>(ty: &'a str, name: &str) -> Option<&'a str> {
    let (head, args) = ty.split_once('<')?;
    let is_it = head.rsplit("::").next().map(str::trim) == Some(name);
    args.strip_suffix('>').filter(|_| is_it)
}

/// In place of a function of another crate.
pub(super) fn of_function(path: &str) -> Option<String> {
    let (owner, name) = path.rsplit_once("::")?;
    let ty = owner.rsplit("::").next().unwrap_or(owner);
    let instead = match (ty, name) {
        ("Vec", "new" | "with_capacity") => "`List::new()`, which is a `Gc<List<..>>`",
        ("HashMap" | "BTreeMap", "new" | "with_capacity") => {
            "`Map::new()`, which is a `Gc<Map<..>>`"
        }
        ("Box" | "Rc" | "Arc", "new") => "`Gc::new(..)` of a `#[gc]` struct",
        ("String", "new" | "with_capacity") => "`StrBuilder::new()`, which is a `Gc<StrBuilder>`",
        ("String", _) => "a `Gc<Str>` that a function marked `#[opaque]` makes",
        _ => return None,
    };
    Some(format!(
        "use {instead}; or do it in a function of its own, with `#[opaque]` in front"
    ))
}

/// In place of a macro.
pub(super) fn of_macro(name: &str) -> Option<String> {
    Some(match name {
        "vec" => "use `List::new()` and `push`, or `GcArray::new(len, fill)`; a `Vec` can only be used in a function marked `#[opaque]`".to_owned(),
        "format" => "make the text in a function of its own, with `#[opaque]` in front, which returns a `Gc<Str>`: `Str::new(&format!(..))`".to_owned(),
        "println" | "print" | "eprintln" | "eprint" | "write" | "writeln" | "dbg" => format!(
            "do it in a function of its own, with `#[opaque]` in front, that takes the values: `#[opaque] fn show(value: i64) {{ {name}!(..) }}`"
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_told_apart_by_their_last_name() {
        let cases = [
            ("std::collections::HashMap<i64, i64>", "`Gc<Map<i64, i64>>`"),
            ("Vec<Value>", "`Gc<List<Value>>`"),
            ("Vec<(String, Vec<u8>)>", "`Gc<List<(String, Vec<u8>)>>`"),
            ("Vec<Vec<String>>", "`Gc<List<Gc<List<Gc<Str>>>>>`"),
            (
                "HashMap<String, Rc<RefCell<Node>>>",
                "`Gc<Map<Gc<Str>, Gc<Node>>>`",
            ),
            ("Rc<std::cell::RefCell<Node>>", "`Gc<Node>`"),
            ("Box<dyn Fn(i64) -> i64>", "an enum"),
            ("&str", "`Gc<Str>`"),
            ("&[u8]", "`GcArray`"),
        ];
        for (ty, instead) in cases {
            assert!(
                of_type(ty).is_some_and(|help| help.contains(instead)),
                "{ty}"
            );
        }
        assert_eq!(of_type("Instant"), None);
        assert_eq!(of_function("std::time::Instant::now"), None);
    }
}
