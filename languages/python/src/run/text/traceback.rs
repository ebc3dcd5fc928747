//! Tracebacks as text. In: an exception. Out: what CPython 3.11 prints for one that nothing
//! catches, but without the lines of carets. Invariant: a text is always found; an exception that
//! cannot be shown is called so.

use crate::bytecode::source::Source;
use crate::heap::class;
use crate::heap::exception::{Traceback, part};
use crate::heap::instance::{self, Instance};
use crate::heap::value::Value;
use crate::heap::world::{World, classes, intern};
use crate::library::PREFIX;
use crate::run::text::show;
use verdigris::prelude::*;

/// How often one line of a recursion is shown.
const REPEATS: usize = 3;

/// How many exceptions of a group are shown.
const MEMBERS: usize = 15;

/// The text of an exception with those that it comes from.
pub fn text(world: Gc<World>, exception: Gc<Instance>) -> String {
    let mut seen = RootVec::new();
    let mut made = String::new();
    with_causes(world, exception, 0, &mut seen, &mut made);
    made
}

/// Adds lines, in the margin that the members of groups within each other have.
fn add(depth: usize, lines: &str, made: &mut String) {
    if depth == 0 {
        *made += lines;
        return;
    }
    let margin = "  ".repeat(depth);
    lines
        .lines()
        .for_each(|line| *made += &format!("{margin}| {line}\n"));
}

fn with_causes(
    world: Gc<World>,
    exception: Gc<Instance>,
    depth: usize,
    seen: &mut RootVec<Gc<Instance>>,
    made: &mut String,
) {
    seen.push(exception);
    let exc = part(exception);
    let is_new = |value: Value, seen: &RootVec<Gc<Instance>>| match value {
        Value::Instance(other) => !seen.iter().any(|known| Gc::ptr_eq(known, other)),
        _ => false,
    };
    if let Value::Instance(cause) = exc.cause.get() {
        if is_new(exc.cause.get(), seen) {
            with_causes(world, cause, depth, seen, made);
            let said = "\nThe above exception was the direct cause of the following exception:\n\n";
            add(depth, said, made);
        }
    } else if let Value::Instance(context) = exc.context.get()
        && !exc.suppress.get()
        && is_new(exc.context.get(), seen)
    {
        with_causes(world, context, depth, seen, made);
        let said = "\nDuring handling of the above exception, another exception occurred:\n\n";
        add(depth, said, made);
    }
    let class = exception.map.get().class;
    if class::derives(class, world.classes[classes::BASE_EXCEPTION_GROUP]) {
        return group(world, exception, depth.max(1), depth == 0, seen, made);
    }
    let mut own = String::new();
    if let Some(traceback) = exc.traceback.get() {
        own += "Traceback (most recent call last):\n";
        own += &lines(traceback);
    }
    own += &last_line(world, exception);
    own += &notes(world, exception);
    add(depth, &own, made);
}

/// A group, with the exceptions in it.
fn group(
    world: Gc<World>,
    exception: Gc<Instance>,
    depth: usize,
    is_first: bool,
    seen: &mut RootVec<Gc<Instance>>,
    made: &mut String,
) {
    let mut own = String::new();
    if let Some(traceback) = part(exception).traceback.get() {
        let head = "Exception Group Traceback (most recent call last):\n";
        match is_first {
            true => *made += &format!("{}+ {head}", "  ".repeat(depth)),
            false => own += head,
        }
        own += &lines(traceback);
    }
    own += &last_line(world, exception);
    own += &notes(world, exception);
    add(depth, &own, made);
    let members = match part(exception).args.get() {
        Value::Tuple(args) if args.len() == 2 => args[1].get(),
        _ => Value::None,
    };
    let count = match members {
        Value::Tuple(all) => all.len(),
        Value::List(all) => all.len(),
        _ => 0,
    };
    let (outer, inner) = ("  ".repeat(depth), "  ".repeat(depth + 1));
    let mut is_closed = false;
    for n in 0..count.min(MEMBERS) {
        let member = match members {
            Value::Tuple(all) => all[n].get(),
            Value::List(all) => all.at(n),
            _ => Value::None,
        };
        let head = if n == 0 {
            format!("{outer}+-")
        } else {
            inner.clone()
        };
        *made += &format!("{head}+---------------- {} ----------------\n", n + 1);
        if let Value::Instance(member) = member {
            with_causes(world, member, depth + 1, seen, made);
            let class = member.map.get().class;
            is_closed = class::derives(class, world.classes[classes::BASE_EXCEPTION_GROUP]);
        }
    }
    if count > MEMBERS {
        let (more, plural) = (count - MEMBERS, if count == MEMBERS + 1 { "" } else { "s" });
        *made += &format!("{inner}+---------------- ... ----------------\n");
        *made += &format!("{inner}| and {more} more exception{plural}\n");
        is_closed = false;
    }
    if !is_closed {
        *made += &format!("{inner}+------------------------------------\n");
    }
}

/// What has been noted on an exception.
fn notes(world: Gc<World>, exception: Gc<Instance>) -> String {
    let mut made = String::new();
    if let Value::List(notes) = instance::get(exception, intern(world, "__notes__")) {
        for note in notes.iter() {
            let said = show::text(world, note, 0);
            let said = said.unwrap_or_else(|_| "<note str() failed>".to_string());
            for line in said.split('\n') {
                made += &format!("{line}\n");
            }
        }
    }
    made
}

/// The lines of the places that an exception has come through.
pub fn lines(first: Gc<Traceback>) -> String {
    let mut made = String::new();
    let mut last = String::new();
    let mut count = 0;
    let mut next = Some(first);
    let end_of = |count: usize| match count.checked_sub(REPEATS) {
        None | Some(0) => String::new(),
        Some(1) => "  [Previous line repeated 1 more time]\n".to_string(),
        Some(more) => format!("  [Previous line repeated {more} more times]\n"),
    };
    while let Some(traceback) = next {
        if traceback.code.module.file.as_str().starts_with(PREFIX) {
            next = traceback.next.get();
            continue;
        }
        let entry = entry(traceback);
        if entry == last {
            count += 1;
        } else {
            made += &end_of(count);
            count = 1;
            last.clone_from(&entry);
        }
        if count <= REPEATS {
            made += &entry;
        }
        next = traceback.next.get();
    }
    made + &end_of(count)
}

fn entry(traceback: Gc<Traceback>) -> String {
    let code = traceback.code;
    let line = code.lines[traceback.pc];
    let (file, name) = (code.module.file.as_str(), code.name.as_str());
    let mut made = format!("  File \"{file}\", line {line}, in {name}\n");
    let source = Source::new(code.module.source.as_str());
    let text = source.line_text(line as usize).trim();
    if !text.is_empty() {
        made += &format!("    {text}\n");
    }
    made
}

/// The class of an exception and what it says.
fn last_line(world: Gc<World>, exception: Gc<Instance>) -> String {
    let class = exception.map.get().class;
    let (module, name) = (class.module_text(), class.qualname_text());
    let name = match module.as_str() {
        "builtins" | "__main__" => name.to_string(),
        _ => format!("{module}.{name}"),
    };
    match show::text(world, Value::Instance(exception), 0) {
        Ok(said) if said.is_empty() => format!("{name}\n"),
        Ok(said) => format!("{name}: {said}\n"),
        Err(_) => format!("{name}: <exception str() failed>\n"),
    }
}
