//! Regular expressions for the module `re`. In: patterns, texts. Out: places of matches, texts
//! made by them. Invariant: a program is kept beside the heap and found by its number; one that is
//! not kept any more is compiled again from the pattern that the caller has.

use super::given::Given;
use super::names::*;
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Tuple, Value, bytes, pair, text};
use crate::heap::world::{classes, type_name};
use crate::plain::fault;
use crate::plain::places::Places;
use crate::plain::regex;
use crate::plain::regex::failure::Failure;
use crate::plain::regex::machine::{OutOfMemory, Scratch};
use crate::plain::regex::pattern::Pattern;
use crate::plain::regex::program::Program;
use crate::plain::regex::search::{self, Wanted};
use crate::plain::regex::template::{self, Piece};

use crate::run::text::show;
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use verdigris::{List, memory_is_low, prelude::*};

type Outcome = Result<Value, Thrown>;

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

/// Calls such a function.
///
/// # Errors
/// A `TypeError`, that memory is used up, and what the pattern is refused for, unless the caller
/// makes an exception of its own of that.
pub fn call(given: Given) -> Outcome {
    match given.id {
        REGEX_COMPILE => compile(given),
        REGEX_FIND => find(given),
        REGEX_ALL => all(given),
        REGEX_SPLIT => split(given),
        REGEX_REPLACE => replace(given),
        REGEX_TEMPLATE => expanded(given),
        REGEX_GROUPS => groups(given),
        _ => part(given),
    }
}

/// The characters of a pattern or template; whether it is a text.
fn characters(value: Value) -> Option<(Vec<u32>, bool)> {
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
fn refused(given: Given, failure: Failure, is_text: bool) -> Outcome {
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
fn compile(given: Given) -> Outcome {
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
fn program(given: Given) -> Result<Rc<Program>, Thrown> {
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

/// What is searched: bytes, and whether they are a text in which characters have several.
struct Subject<'a> {
    data: &'a [u8],
    is_text: bool,
    is_wide: bool,
}

/// The bytes of a text, which is not looked through for that, or of bytes that may change.
fn bytes_of(value: Value) -> Value {
    match value {
        Value::Str(text) => Value::Bytes(text.data.to_bytes()),
        Value::ByteArray(own) => bytes(&crate::plain::bytes::copy(own)),
        other => other,
    }
}

impl<'a> Subject<'a> {
    /// What is searched, and the value that has its bytes.
    fn new(given: Given, value: Value, data: &'a Value, is_text: bool) -> Result<Self, Thrown> {
        let is_wide = match value {
            Value::Str(text) => text.chars != text.data.len(),
            _ => false,
        };
        let Value::Bytes(data) = data else {
            let class = type_name(given.world, value);
            let message = format!("expected string or bytes-like object, got '{class}'");
            return Err(given.type_error(&message));
        };
        let message = match (is_text, matches!(value, Value::Str(_))) {
            (true, false) => "cannot use a string pattern on a bytes-like object",
            (false, true) => "cannot use a bytes pattern on a string-like object",
            _ => {
                return Ok(Subject {
                    data: data.as_slice(),
                    is_text,
                    is_wide,
                });
            }
        };
        Err(given.type_error(message))
    }

    /// A part of it, as a value.
    fn part(&self, from: usize, to: usize) -> Value {
        made(&self.data[from..to], self.is_text)
    }
}

/// A text or bytes.
fn made(data: &[u8], is_text: bool) -> Value {
    match is_text {
        true => text(&String::from_utf8_lossy(data)),
        false => bytes(data),
    }
}

/// A search, with the scratch of this thread.
struct Search<'a> {
    given: Given,
    program: Rc<Program>,
    subject: Subject<'a>,
    scratch: Scratch,
}

impl Drop for Search<'_> {
    fn drop(&mut self) {
        self.scratch.shrink();
        let scratch = std::mem::take(&mut self.scratch);
        PROGRAMS.with_borrow_mut(|kept| kept.scratch = scratch);
    }
}

impl<'a> Search<'a> {
    fn new(given: Given, value: Value, data: &'a Value) -> Result<Search<'a>, Thrown> {
        let program = program(given)?;
        let subject = Subject::new(given, value, data, program.is_text)?;
        let mut scratch = PROGRAMS.with_borrow_mut(|kept| std::mem::take(&mut kept.scratch));
        scratch.watch(memory_is_low);
        Ok(Search {
            given,
            program,
            subject,
            scratch,
        })
    }

    /// Whether there is a match between two places.
    fn find(&mut self, from: usize, to: usize, wanted: Wanted) -> Result<bool, Thrown> {
        let text = &self.subject.data[..to];
        let is_wide = self.subject.is_wide;
        let found = search::find(
            &self.program,
            text,
            from,
            is_wide,
            wanted,
            &mut self.scratch,
        );
        found.map_err(|OutOfMemory| out_of_memory(self.given))
    }

    /// The first match from a place on, and then the next ones.
    fn next(
        &mut self,
        from: usize,
        to: usize,
        is_empty: bool,
    ) -> Result<Option<(usize, usize)>, Thrown> {
        let wanted = if is_empty {
            Wanted::Next
        } else {
            Wanted::First
        };
        Ok(match self.find(from, to, wanted)? {
            true => self.scratch.group(0),
            false => None,
        })
    }

    /// What a group has captured, or the empty string.
    fn captured(&self, group: usize) -> Value {
        let (from, to) = self.scratch.group(group).unwrap_or((0, 0));
        self.subject.part(from, to)
    }

    /// Places in characters as places in bytes.
    fn bounds(&self, n: usize, places: &mut Places) -> Result<Option<(usize, usize)>, Thrown> {
        let place = |n| -> Result<usize, Thrown> {
            let place = self.given.int(self.given.at(n))?;
            Ok(usize::try_from(place).unwrap_or(0))
        };
        let (from, to) = (place(n)?, place(n + 1)?);
        let from = places.byte(from);
        // A text has no more characters than bytes, so that its end needs no counting.
        let len = self.subject.data.len();
        let to = if to >= len { len } else { places.byte(to) };
        Ok((from <= to).then_some((from, to)))
    }
}

/// A program, a text, from where to where, what is wanted, and how many bytes are before the first
/// place, or -1. `None`, or a tuple: where each group begins and ends, the group that has closed
/// last or 0, how many bytes are before the end, and, if characters have several, how many are
/// before each of the other places.
fn find(given: Given) -> Outcome {
    let value = instance::plain(given.at(1));
    let data = bytes_of(value);
    let mut search = Search::new(given, value, &data)?;
    let mut places = Places::new(search.subject.data, search.subject.is_wide);
    if let (Value::Int(byte @ 0..), Value::Int(from)) = (given.at(5), given.at(2)) {
        places.know(byte as usize, from as usize);
    }
    let Some((from, to)) = search.bounds(2, &mut places)? else {
        return Ok(Value::None);
    };
    let wanted = match given.at(4) {
        Value::Int(0) => Wanted::Here,
        Value::Int(1) => Wanted::Whole,
        Value::Int(2) => Wanted::First,
        _ => Wanted::Next,
    };
    if !search.find(from, to, wanted)? {
        return Ok(Value::None);
    }
    let groups = search.program.groups + 1;
    let is_wide = search.subject.is_wide;
    let made = Tuple::new(
        2 * groups + 2 + if is_wide { 2 * groups } else { 0 },
        Value::Int(-1),
    );
    let int = |n: usize| Value::Int(n as i64);
    for group in 0..groups {
        if let Some((start, end)) = search.scratch.group(group) {
            made[2 * group].set(int(places.character(start)));
            made[2 * group + 1].set(int(places.character(end)));
            if is_wide {
                made[2 * groups + 2 + 2 * group].set(int(start));
                made[2 * groups + 3 + 2 * group].set(int(end));
            }
        }
    }
    let last = search.scratch.last_group(groups - 1).unwrap_or(0);
    made[2 * groups].set(int(last));
    let end = search.scratch.group(0).map_or(0, |(_, end)| end);
    made[2 * groups + 1].set(int(end));
    Ok(Value::Tuple(made))
}

/// A program, a text, from where to where: the list of what `findall` returns.
fn all(given: Given) -> Outcome {
    let value = instance::plain(given.at(1));
    let data = bytes_of(value);
    let mut search = Search::new(given, value, &data)?;
    let found: Gc<List<Value>> = List::new();
    let mut places = Places::new(search.subject.data, search.subject.is_wide);
    let Some((mut from, to)) = search.bounds(2, &mut places)? else {
        return Ok(Value::List(found));
    };
    let mut is_empty = false;
    while let Some((start, end)) = search.next(from, to, is_empty)? {
        let groups = search.program.groups;
        found.push(match groups {
            0 | 1 => search.captured(groups),
            _ => {
                let made = Tuple::new(groups, Value::Unbound);
                (0..groups).for_each(|n| made[n].set(search.captured(n + 1)));
                Value::Tuple(made)
            }
        });
        (from, is_empty) = (end, start == end);
    }
    Ok(Value::List(found))
}

/// A program, a text, and how often it is split at most, or 0: the list of parts.
fn split(given: Given) -> Outcome {
    let value = instance::plain(given.at(1));
    let data = bytes_of(value);
    let most = usize::try_from(given.int(given.at(2))?).unwrap_or(0);
    let most = if given.at(2) == Value::Int(0) {
        usize::MAX
    } else {
        most
    };
    let mut search = Search::new(given, value, &data)?;
    let parts: Gc<List<Value>> = List::new();
    let len = search.subject.data.len();
    let (mut from, mut is_empty, mut count) = (0, false, 0);
    while count < most
        && let Some((start, end)) = search.next(from, len, is_empty)?
    {
        parts.push(search.subject.part(from, start));
        for group in 1..=search.program.groups {
            let part = search.scratch.group(group);
            parts.push(part.map_or(Value::None, |(from, to)| search.subject.part(from, to)));
        }
        (from, is_empty, count) = (end, start == end, count + 1);
    }
    parts.push(search.subject.part(from, len));
    Ok(Value::List(parts))
}

/// A template for a program: its pieces, or why it is refused.
fn pieces(
    given: Given,
    program: &Program,
    template: Value,
) -> Result<Result<Vec<Piece>, Failure>, Thrown> {
    let template = instance::plain(template);
    let is_literal = match template {
        Value::Str(text) => !text.data.to_bytes().as_slice().contains(&b'\\'),
        other => crate::plain::bytes::of(&other).is_some_and(|data| !data.contains(&b'\\')),
    };
    let (Some((characters, is_text)), class) =
        (characters(template), type_name(given.world, template))
    else {
        let class = type_name(given.world, template);
        let message = format!("decoding to str: need a bytes-like object, {class} found");
        return Err(given.type_error(&message));
    };
    if is_text != program.is_text {
        let wanted = if program.is_text {
            "str instance"
        } else {
            "a bytes-like object"
        };
        let message = format!("sequence item 0: expected {wanted}, {class} found");
        return Err(given.type_error(&message));
    }
    if is_literal {
        let data = bytes_of(template);
        let literal = crate::plain::bytes::of(&data).map_or_else(Vec::new, Cow::into_owned);
        return Ok(Ok(vec![Piece::Literal(literal)]));
    }
    Ok(template::parse(&characters, program, show::quoted))
}

fn out_of_memory(given: Given) -> Thrown {
    fault::new(given.world, classes::MEMORY_ERROR, "")
}

/// Puts bytes behind others, if there is room for them.
fn append(given: Given, all: &mut Vec<u8>, more: &[u8]) -> Result<(), Thrown> {
    if all.try_reserve(more.len()).is_err() {
        return Err(out_of_memory(given));
    }
    all.extend_from_slice(more);
    Ok(())
}

/// A program, a template, a text, and how often at most, or 0: the text and how often, or why the
/// template is refused.
fn replace(given: Given) -> Outcome {
    let most = given.int(given.at(3))?;
    let most = if most == 0 {
        usize::MAX
    } else {
        usize::try_from(most).unwrap_or(0)
    };
    let value = instance::plain(given.at(2));
    let data = bytes_of(value);
    let mut search = Search::new(given, value, &data)?;
    let pieces = match pieces(given, &search.program, given.at(1))? {
        Ok(pieces) => pieces,
        Err(failure) => return refused(given, failure, search.program.is_text),
    };
    let len = search.subject.data.len();
    let mut result: Vec<u8> = Vec::new();
    let (mut from, mut is_empty, mut count) = (0, false, 0);
    while count < most
        && let Some((start, end)) = search.next(from, len, is_empty)?
    {
        append(given, &mut result, &search.subject.data[from..start])?;
        for piece in &pieces {
            match piece {
                Piece::Literal(data) => append(given, &mut result, data)?,
                Piece::Group(group) => {
                    if let Some((from, to)) = search.scratch.group(*group) {
                        append(given, &mut result, &search.subject.data[from..to])?;
                    }
                }
            }
        }
        (from, is_empty, count) = (end, start == end, count + 1);
    }
    let new = if count == 0 && !matches!(value, Value::ByteArray(_)) {
        value
    } else {
        append(given, &mut result, &search.subject.data[from..])?;
        made(&result, search.program.is_text)
    };
    // A pair of a text and a number is no message, which has a place of its own.
    let made = Tuple::new(3, Value::None);
    made[0].set(new);
    made[1].set(Value::Int(count as i64));
    Ok(Value::Tuple(made))
}

/// A program and a template: the list of its pieces, which are strings, and groups by their
/// numbers; or why it is refused.
fn expanded(given: Given) -> Outcome {
    let program = program(given)?;
    let pieces = match pieces(given, &program, given.at(1))? {
        Ok(pieces) => pieces,
        Err(failure) => return refused(given, failure, program.is_text),
    };
    let found: Gc<List<Value>> = List::new();
    for piece in pieces {
        found.push(match piece {
            Piece::Literal(data) => made(&data, program.is_text),
            Piece::Group(group) => Value::Int(group as i64),
        });
    }
    Ok(Value::List(found))
}

/// A text, what [`find`] has returned for it, how many groups there are, and what stands for those
/// that have captured nothing: the tuple of what they have captured.
fn groups(given: Given) -> Outcome {
    let (value, Value::Tuple(spans)) = (instance::plain(given.at(0)), given.at(1)) else {
        return Err(given.wrong_object());
    };
    let count = usize::try_from(given.int(given.at(2))?).unwrap_or(0);
    let data = bytes_of(value);
    let Some(data) = crate::plain::bytes::of(&data) else {
        return Err(given.wrong_object());
    };
    // Where characters have several bytes, the places in bytes are behind all others.
    let first = if spans.len() > 2 * count + 4 {
        2 * count + 4
    } else {
        0
    };
    let made_of = Tuple::new(count, given.at(3));
    for group in 1..=count {
        let place = |n| match spans[n].get() {
            Value::Int(place) => usize::try_from(place).ok(),
            _ => None,
        };
        if let (Some(from), Some(to)) = (place(first + 2 * group), place(first + 2 * group + 1)) {
            let part = data.get(from..to).unwrap_or(&[]);
            made_of[group - 1].set(made(part, matches!(value, Value::Str(_))));
        }
    }
    Ok(Value::Tuple(made_of))
}

/// A text, and how many bytes are before two places: what is between them.
fn part(given: Given) -> Outcome {
    let Value::Str(own) = instance::plain(given.at(0)) else {
        return Err(given.wrong_object());
    };
    let (from, to) = (given.int(given.at(1))?, given.int(given.at(2))?);
    let data = own.data.to_bytes();
    let part = data.as_slice().get(from as usize..to as usize);
    Ok(made(part.unwrap_or(&[]), true))
}
