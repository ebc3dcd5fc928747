//! Queries of optimiser and backend about the running program, each with its answer as a line of
//! text. They name things of the program by name or by address.

use std::fmt::Write;
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId, FnId};
use verdigris_trace::Descr;

/// A query.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Query {
    /// The result of a load from a constant object.
    Load(DataOp, Descr, Box<[u64]>),
    /// Whether code may assume that a quasi-immutable field stays as it is.
    Assume(u64, FieldId),
    /// Whether virtualizable places are kept across calls.
    Keeps,
    /// The result of an elidable function.
    Call(FnId, Box<[u64]>),
    /// Whether a word is the address of an object.
    Object(u64),
    /// Whether written code may go on at these greens.
    Specialises(Box<[u64]>),
    /// The class of an object.
    Class(u64),
    /// Where the word is with the code for these greens.
    Code(Box<[u64]>),
    /// Where threaded code is entered by a call of this function.
    Entrance(FnId),
}

/// An answer: words; or that there are none.
pub(crate) type Answer = Option<Vec<u64>>;

/// The text for no answer.
pub(crate) const NONE: &str = "none";

/// The line of a query and its answer.
pub(crate) fn print(descrs: &Descrs, question: &Query, answer: &Answer) -> String {
    let mut line = String::new();
    // Writing to a string never fails.
    let _ = match question {
        Query::Load(op, descr, args) => {
            let of = match *descr {
                Descr::Field(field) => descrs.field_name(field),
                Descr::Class(class) => descrs.classes[class].name.clone(),
                _ => String::new(),
            };
            write!(line, "load {}{} of {of}", op.name(), words(args))
        }
        Query::Assume(object, field) => {
            write!(line, "assume {object:#x} of {}", descrs.field_name(*field))
        }
        Query::Keeps => write!(line, "keeps"),
        Query::Call(function, args) => {
            let info = &descrs.fns[*function];
            write!(line, "call{} of {}", words(args), info.name)
        }
        Query::Specialises(greens) => write!(line, "specialises{}", words(greens)),
        Query::Object(word) => write!(line, "object {word:#x}"),
        Query::Class(object) => write!(line, "class {object:#x}"),
        Query::Code(greens) => write!(line, "code{}", words(greens)),
        Query::Entrance(function) => write!(line, "entrance of {}", descrs.fns[*function].name),
    };
    line.push_str(" =");
    match (question, answer) {
        (_, None) => line.extend([" ", NONE]),
        (Query::Class(_), Some(class)) => {
            let class = class.first().map(|&id| ClassId::from_u32(id as u32));
            let known = class.and_then(|class| descrs.classes.get(class));
            line.extend([" ", known.map_or(NONE, |class| &class.name)]);
        }
        (_, Some(answer)) => line.push_str(&words(answer)),
    }
    line
}

/// Words, each behind a space.
pub(crate) fn words(words: &[u64]) -> String {
    words.iter().fold(String::new(), |mut text, word| {
        let _ = write!(text, " {word:#x}");
        text
    })
}
