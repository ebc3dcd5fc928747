//! The programs of patterns. In: patterns and flags. Out: programs, or why a pattern is refused.
//! Invariant: a program is kept beside the heap and found by its number; one that is not kept any
//! more is compiled again from the pattern that the caller has.

use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Tuple, Value, pair, text};
use crate::heap::world::classes;
use crate::plain::fault;
use crate::plain::regex;
use crate::plain::regex::failure::Failure;
use crate::plain::regex::pattern::Pattern;
use crate::plain::regex::program::Program;
use crate::plain::regex::scratch::Scratch;
use crate::run::native::given::Given;
use crate::run::text::show;
use std::cell::RefCell;
use std::rc::Rc;

/// How many programs are kept.
const KEPT: usize = 1024;

/// The programs that are kept, each at its number modulo [`KEPT`].
#[derive(Default)]
struct Kept {
    programs: Vec<Option<(i64, Rc<Program>)>>,
    last: i64,
    scratch: Scratch,
}

thread_local! {
    static PROGRAMS: RefCell<Kept> = RefCell::default();
}

/// The characters of a pattern or template; whether it is a text.
pub(super) fn characters(value: Value) -> Option<(Vec<u32>, bool)> {
    match instance::plain(value) {
        Value::Str(text) => Some((text.as_str().chars().map(u32::from).collect(), true)),
        other => {
            let bytes = crate::plain::bytes::of(&other)?;
            Some((bytes.iter().map(|&byte| byte.into()).collect(), false))
        }
    }
}

fn program_of(
    given: Given,
    pattern: Value,
    flags: i64,
) -> Result<Result<Program, Failure>, Thrown> {
    let Some((characters, is_text)) = characters(pattern) else {
        let message = "first argument must be string or compiled pattern";
        return Err(given.type_error(message));
    };
    Ok(regex::compile(&Pattern {
        characters: &characters,
        is_text,
        flags: flags as u32,
        quote: show::quoted,
        named: unicode_names2::character,
    }))
}

/// An exception of the language, or a message and a place for one of the module.
///
/// # Errors
/// One of the language.
pub(super) fn refused(given: Given, failure: Failure, is_text: bool) -> Result<Value, Thrown> {
    let new = |class, message: &str| Err(fault::new(given.world, class, message));
    match failure {
        Failure::Syntax { message, place } => {
            let message = match is_text {
                true => message,
                false => show::ascii(&message),
            };
            let place = place.map_or(Value::None, |place| Value::Int(place as i64));
            Ok(pair(text(&message), place))
        }
        Failure::Overflow => new(
            classes::OVERFLOW_ERROR,
            "the repetition number is too large",
        ),
        Failure::Depth => Err(fault::simple(given.world, fault::RECURSION)),
        Failure::Flags(message) => Err(given.value_error(message)),
        Failure::NoGroup(message) => new(classes::INDEX_ERROR, &message),
    }
}

/// A pattern and flags: the number of a program, its flags, how many groups, and their names.
///
/// # Errors
/// What the pattern is refused for, unless the caller makes an exception of its own of that.
pub(super) fn compile(given: Given) -> Result<Value, Thrown> {
    let flags = given.int(given.at(1))?;
    let program = match program_of(given, given.at(0), flags)? {
        Ok(program) => program,
        Err(failure) => {
            let is_text = matches!(instance::plain(given.at(0)), Value::Str(_));
            return refused(given, failure, is_text);
        }
    };
    let names = Tuple::new(program.names.len(), Value::Unbound);
    for (n, (name, group)) in program.names.iter().enumerate() {
        names[n].set(pair(text(name), Value::Int(*group as i64)));
    }
    let made = Tuple::new(4, Value::Unbound);
    made[1].set(Value::Int(i64::from(program.flags)));
    made[2].set(Value::Int(program.groups as i64));
    made[3].set(Value::Tuple(names));
    let number = PROGRAMS.with_borrow_mut(|kept| {
        kept.last += 1;
        kept.keep(kept.last, Rc::new(program));
        kept.last
    });
    made[0].set(Value::Int(number));
    Ok(Value::Tuple(made))
}

impl Kept {
    fn keep(&mut self, number: i64, program: Rc<Program>) {
        self.programs.resize(KEPT, None);
        self.programs[number as usize % KEPT] = Some((number, program));
    }
}

/// The program that the first argument names: a tuple of its number, its pattern and its flags.
///
/// # Errors
/// If it is none.
pub(super) fn program(given: Given) -> Result<Rc<Program>, Thrown> {
    let Value::Tuple(known) = given.at(0) else {
        return Err(given.wrong_object());
    };
    let (Value::Int(number), Value::Int(flags)) = (known[0].get(), known[2].get()) else {
        return Err(given.wrong_object());
    };
    let kept = PROGRAMS.with_borrow(|kept| match kept.programs.get(number as usize % KEPT) {
        Some(Some((found, program))) if *found == number => Some(Rc::clone(program)),
        _ => None,
    });
    if let Some(program) = kept {
        return Ok(program);
    }
    let made = program_of(given, known[1].get(), flags)?.map(Rc::new);
    let Ok(program) = made else {
        return Err(given.wrong_object());
    };
    PROGRAMS.with_borrow_mut(|kept| kept.keep(number, Rc::clone(&program)));
    Ok(program)
}

/// What a search needs beside the heap, which is given back by [`give_scratch`].
pub(super) fn take_scratch() -> Scratch {
    PROGRAMS.with_borrow_mut(|kept| std::mem::take(&mut kept.scratch))
}

/// Keeps it for the next search.
pub(super) fn give_scratch(scratch: Scratch) {
    PROGRAMS.with_borrow_mut(|kept| kept.scratch = scratch);
}
