//! The tree of a pattern. In, out: the types between parser and compiler. Invariant: flags are
//! gone, what they mean is in the nodes; a tree is no deeper than [`MAX_DEPTH`] groups.

use super::case::Fold;
use super::set::Set;

/// How deep groups may be within each other. CPython's own recursion ends before that.
pub const MAX_DEPTH: usize = 500;

/// No limit of repetitions.
pub const NO_LIMIT: u32 = u32::MAX;

/// A part of a pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// A character.
    Char(u32),
    /// A character of a set.
    Set(Box<Set>),
    /// Any character, or any but the end of a line.
    Any {
        /// Whether the end of a line is one.
        with_newline: bool,
    },
    /// Something about a place.
    Assert(Assert),
    /// Parts behind each other.
    Seq(Vec<Node>),
    /// One of several parts, the first that fits.
    Alt(Vec<Node>),
    /// A group that is captured.
    Group {
        /// Its number, from 1.
        index: usize,
        /// What is in it.
        body: Box<Node>,
    },
    /// A group that is not.
    Plain(Box<Node>),
    /// A part several times.
    Repeat {
        /// The part.
        body: Box<Node>,
        /// How often at least.
        least: u32,
        /// How often at most, or [`NO_LIMIT`].
        most: u32,
        /// How many are wanted.
        greed: Greed,
    },
    /// What is ahead of a place, or behind it.
    Look {
        /// Whether it is behind.
        is_behind: bool,
        /// Whether it must not be there.
        is_negative: bool,
        /// What it is.
        body: Box<Node>,
    },
    /// A part that is matched in one way only.
    Atomic(Box<Node>),
    /// What a group has captured.
    Back {
        /// The group.
        group: usize,
        /// Which cases are the same.
        fold: Fold,
    },
    /// One part if a group has captured something, another if not.
    Cond {
        /// The group.
        group: usize,
        /// If it has.
        yes: Box<Node>,
        /// If it has not.
        no: Option<Box<Node>>,
    },
    /// What never matches.
    Never,
}

/// How many repetitions are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Greed {
    /// As many as possible.
    Greedy,
    /// As few as possible.
    Lazy,
    /// As many as possible, and no others.
    Possessive,
}

/// Something about a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assert {
    /// The text begins.
    TextStart,
    /// A line begins.
    LineStart,
    /// The text ends.
    TextEnd,
    /// The text ends, or its last line end follows.
    LastLineEnd,
    /// A line ends.
    LineEnd,
    /// A word begins or ends.
    Boundary {
        /// Whether none does.
        is_negative: bool,
        /// Whether words are of ASCII.
        is_ascii: bool,
    },
}

/// A pattern.
#[derive(Debug)]
pub struct Tree {
    /// The whole of it.
    pub root: Node,
    /// Whether it is for texts.
    pub is_text: bool,
    /// The flags that hold for all of it.
    pub flags: u32,
    /// How wide each group is, the first of which is the whole pattern.
    pub widths: Vec<Option<(usize, usize)>>,
    /// The names of groups with their numbers.
    pub names: Vec<(String, usize)>,
}
