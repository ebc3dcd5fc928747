//! Polymorphic programs: places that see few, many, or ever new classes, shapes, functions and
//! types, in turn, in runs, or at random. In: a tape. Out: a function `main` of the number of turns
//! of its loop, whose result is a checksum of all that it has computed. Invariant: it computes the
//! same each time that it is called; nothing in it is an error that it does not catch.
//!
//! What a program can see is written as `Variants`: a function that makes one by its number, and
//! the ways to use it. Each kind of them has a file: `classes`, `shapes`, `functions`,
//! `graphs`, `types`. `sites` has the places that use them.

mod classes;
mod functions;
mod graphs;
mod shapes;
mod sites;
mod types;

use crate::writer::{Rank, Want, Writer};
use fuzz_tape::Tape;

/// What a place of a program sees, in so many variants.
pub(super) struct Variants {
    /// How many there are.
    count: usize,
    /// The function that makes one: of its number, from 1, and any integer.
    make: String,
    /// Expressions that use the variant in the variable `O` with the integer `I`. The first can be
    /// done with each variant most cheaply.
    uses: Vec<String>,
}

/// The line in front of every polymorphic program.
const MARK: &str = "-- polymorphic";

/// The state that a program has beside its objects: the checksum and the random numbers.
const STATE: &str = "local sum, seed = 0, 1
local function add(v)
  if math.type(v) == 'float' then v = v > -1e9 and v < 1e9 and math.floor(v) or 5 end
  if math.type(v) ~= 'integer' then v = type(v) == 'string' and #v or v and 7 or 3 end
  sum = (sum * 31 + v) % 1000000007
end
local function random(n)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed // 65536 % n + 1
end";

/// A program, which prints the checksum. Its argument says how often the loop goes around.
pub fn program(tape: &mut Tape<'_>) -> String {
    function(tape) + "print(main(tonumber((...))))\n"
}

/// A text that defines the local function `main`.
pub fn function(tape: &mut Tape<'_>) -> String {
    let text = Writer::new(tape).program(Writer::polymorphic);
    format!("{MARK}\n{text}")
}

/// Whether a text is one of these programs.
pub fn is_one(text: &str) -> bool {
    text.lines().any(|line| line == MARK)
}

impl Writer<'_, '_> {
    fn polymorphic(&mut self) {
        self.sound = true;
        self.line(STATE);
        let families = 1 + self.tape.below(3);
        let families: Vec<Variants> = (0..families)
            .map(|_| match self.tape.weighted(&[6, 4, 4, 3, 3]) {
                0 => self.object_classes(),
                1 => self.shapes(),
                2 => self.functions(),
                3 => self.graph(),
                _ => self.types(),
            })
            .collect();
        self.sites(&families);
    }

    /// An expression that gives an integer, of variables that hold integers.
    fn integer_of(&mut self, variables: &[&str]) -> String {
        let variables: Vec<(&str, Want)> =
            (variables.iter()).map(|&name| (name, Want::Int)).collect();
        self.fuel = 6;
        let mut text = String::new();
        self.body(Rank::Method, false, &variables, |w| {
            text = w.expr(Want::Int, 2);
        });
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_is_short() {
        let text = program(&mut Tape::new(&[]));
        assert!(is_one(&text) && text.lines().count() < 40, "{text}");
    }

    #[test]
    fn other_programs_are_none_of_these() {
        assert!(!is_one(&crate::program(&mut Tape::new(&[]))));
    }
}
