//! What rustc calls: the text of `--emit=mir`.
//!
//! In: the text. Out: for each function its path, where its `impl` block is, the type of its first
//! parameter, and what it calls. Invariants: closures are parts of the function that they are in;
//! of functions that can run at compile time, which are printed twice, the first text counts. A
//! call whose line cannot be read is an error: it must not be lost.

use crate::callee::{Callee, Kind, segments};
use std::collections::{HashMap, HashSet};

/// A function.
#[derive(Clone, Debug)]
pub struct Body {
    /// The path of its module.
    pub module: Vec<String>,
    /// The trait that provides it, or the type that it is printed with.
    pub of: Option<String>,
    /// Where the `impl` block begins that it is in: `src/main.rs:12:1`.
    pub block: Option<String>,
    /// Its name.
    pub name: String,
    /// The type of its first parameter.
    pub first: Option<String>,
    /// What it calls.
    pub callees: Vec<Callee>,
}

/// What a text has in it.
#[derive(Default, Debug)]
pub struct Mir {
    /// The functions.
    pub bodies: Vec<Body>,
    /// Calls in constants, statics and what rustc evaluates at compile time.
    pub in_constants: usize,
}

/// Reads a text. What are names of modules are none of functions, which are printed without their
/// modules if there is one of the name.
///
/// # Errors
/// With the line of a call that cannot be read.
pub fn read(text: &str, modules: &HashSet<String>) -> Result<Mir, String> {
    let mut mir = Mir::default();
    let mut headers: Vec<(Header, Vec<Callee>)> = Vec::new();
    let mut twice = false;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("// MIR FOR CTFE") {
            twice = true;
            continue;
        }
        if line.starts_with(' ') || !line.ends_with('{') {
            continue;
        }
        let mut callees = Vec::new();
        for line in lines.by_ref() {
            if line == "}" {
                break;
            }
            if let Some(callee) = callee_of(line.trim())? {
                callees.push(Callee::parse(&callee));
            }
        }
        match line.strip_prefix("fn ").and_then(Header::read) {
            Some(_) if std::mem::take(&mut twice) => {}
            Some(header) => headers.push((header, callees)),
            None => mir.in_constants += callees.len(),
        }
    }
    // What is inside of a function is in the module around it.
    let functions: HashSet<Vec<String>> = headers.iter().map(|h| h.0.path.clone()).collect();
    let names = functions.iter().filter_map(|path| path.last());
    let names = names.filter(|name| !modules.contains(*name));
    let names: HashSet<String> = names.cloned().collect();
    // Of functions that are no members and have one name, each is printed with its module, but for
    // one of the root.
    let is_free = |path: &&Vec<String>| {
        let member = |part: &String| part.starts_with(|c: char| c == '<' || c.is_ascii_uppercase());
        !path.iter().any(member)
    };
    let mut counts: HashMap<&String, usize> = HashMap::new();
    for name in functions
        .iter()
        .filter(is_free)
        .filter_map(|path| path.last())
    {
        *counts.entry(name).or_default() += 1;
    }
    let of_root = functions.iter().filter(|path| path.len() == 1);
    let of_root = of_root.filter_map(|path| path.last());
    let of_root: HashSet<&String> = of_root
        .filter(|name| counts.get(name).is_some_and(|count| *count > 1))
        .collect();
    for (header, callees) in headers {
        let callees = callees.into_iter().map(|callee| callee.outside(&names));
        let mut callees: Vec<Callee> = callees.collect();
        for callee in &mut callees {
            if let Kind::Path(path) = &callee.kind
                && let [name] = path.as_slice()
            {
                callee.is_exact = of_root.contains(name) && !callee.text.contains("::");
            }
        }
        let header = header.outside(&functions, modules);
        let same = |b: &&mut Body| {
            header.in_closure
                && (&b.module, &b.of, &b.block, &b.name)
                    == (&header.module, &header.of, &header.block, &header.name)
        };
        match mir.bodies.iter_mut().rev().find(same) {
            Some(around) => around.callees.extend(callees),
            None => mir.bodies.push(Body {
                module: header.module,
                of: header.of,
                block: header.block,
                name: header.name,
                first: header.first,
                callees,
            }),
        }
    }
    Ok(mir)
}

/// How a function begins.
#[derive(Clone, Debug)]
struct Header {
    /// All of its path, but for closures.
    path: Vec<String>,
    in_closure: bool,
    module: Vec<String>,
    of: Option<String>,
    block: Option<String>,
    name: String,
    first: Option<String>,
}

impl Header {
    /// Reads `a::f(_1: i64) -> i64 {`.
    fn read(text: &str) -> Option<Header> {
        let end = arguments_at(text)?;
        let mut parts: Vec<&str> = segments(&text[..end]);
        let closure = parts.iter().position(|part| part.starts_with("{closure"));
        parts.truncate(closure.unwrap_or(parts.len()));
        let path: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        let name = path.last()?.trim_start_matches("r#").to_owned();
        let first = text[end + 1..].strip_prefix("_1: ");
        let first = first.map(|rest| rest[..type_end(rest)].to_owned());
        Some(Header {
            path,
            in_closure: closure.is_some(),
            module: Vec::new(),
            of: None,
            block: None,
            name,
            first: first.filter(|_| closure.is_none()),
        })
    }

    /// With its parts, given all paths of functions.
    fn outside(mut self, functions: &HashSet<Vec<String>>, modules: &HashSet<String>) -> Header {
        let before = &self.path[..self.path.len() - 1];
        for (n, part) in before.iter().enumerate() {
            let is_function = functions.contains(&self.path[..=n]) && !modules.contains(part);
            let block = part
                .strip_prefix("<impl at ")
                .and_then(|p| p.strip_suffix('>'));
            if is_function {
                // A member of a block around is no member of it.
                (self.of, self.block) = (None, None);
            } else if let Some(block) = block {
                let begin = block.split_once(": ").map_or(block, |b| b.0);
                self.block = Some(begin.to_owned());
            } else if part.starts_with(|c: char| c.is_ascii_uppercase()) || part.starts_with('<') {
                self.of = Some(part.clone());
            } else if !part.starts_with('{') {
                self.module.push(part.trim_start_matches("r#").to_owned());
            }
        }
        self
    }
}

/// Where the bracket is before the arguments of what a text begins with.
fn arguments_at(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0i32;
    for at in 0..bytes.len() {
        match bytes[at] {
            b'(' if depth == 0 && at > 0 && !ends_open(&text[..at]) => return Some(at),
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' if at > 0 && matches!(bytes[at - 1], b'-' | b'=') => {}
            b'>' | b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a place goes on in a bracket: `move (_1.0: fn())`.
fn ends_open(text: &str) -> bool {
    text.ends_with(' ')
}

/// Where a type ends that a text begins with.
fn type_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0i32;
    for at in 0..bytes.len() {
        match bytes[at] {
            b',' | b')' if depth == 0 => return at,
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' if at > 0 && matches!(bytes[at - 1], b'-' | b'=') => {}
            b'>' | b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// What a line calls, if it is a call: `_4 = f(move _5) -> [return: bb1, unwind continue];`.
fn callee_of(line: &str) -> Result<Option<String>, String> {
    let Some(end) = line.rfind(" -> ") else {
        return Ok(None);
    };
    let target = &line[end + 4..];
    let goes_on = ["[return: ", "unwind ", "bb"]
        .iter()
        .any(|t| target.starts_with(t));
    let others = [
        "switchInt(",
        "assert(",
        "drop(",
        "goto",
        "falseEdge",
        "falseUnwind",
        "debug ",
    ];
    if !goes_on || others.iter().any(|other| line.starts_with(other)) {
        return Ok(None);
    }
    let wrong = || format!("a call that cannot be read: {line}");
    let call = assigned(&line[..end]).ok_or_else(wrong)?;
    let callee = arguments_at(call).ok_or_else(wrong)?;
    Ok(Some(call[..callee].to_owned()))
}

/// What is assigned: behind the first ` = ` that is outside of brackets.
fn assigned(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut depth = 0i32;
    for at in 0..bytes.len() {
        match bytes[at] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' if at > 0 && matches!(bytes[at - 1], b'-' | b'=') => {}
            b'>' | b')' | b']' | b'}' => depth -= 1,
            b' ' if depth == 0 && text[at..].starts_with(" = ") => return Some(&text[at + 3..]),
            _ => {}
        }
    }
    None
}
