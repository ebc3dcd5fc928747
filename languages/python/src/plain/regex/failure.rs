//! Why a pattern or a template is refused. In: a message and a place. Out: the same as one value.
//! Invariant: messages are CPython's.

/// Why a pattern is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It is malformed.
    Syntax {
        /// What is wrong.
        message: String,
        /// At which character, if that can be told.
        place: Option<usize>,
    },
    /// A number of repetitions is too large.
    Overflow,
    /// Groups are too deep within each other.
    Depth,
    /// The flags do not go together.
    Flags(&'static str),
    /// A template names a group that is not there.
    NoGroup(String),
}

/// What is parsed, or why it is refused.
pub type Parsed<T> = Result<T, Failure>;

/// A mistake at a place.
pub fn syntax(message: impl Into<String>, place: usize) -> Failure {
    Failure::Syntax {
        message: message.into(),
        place: Some(place),
    }
}
