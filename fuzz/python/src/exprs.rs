//! Expressions. In: the value that is wanted, and how deep it may be. Out: text. Invariant: an
//! expression has the value that is wanted, or raises an exception; what is kept of it is bounded.

use super::forms;
use super::writer::{Rank, Want, Writer};

/// What expressions are that have no more room.
const SMALL: &[&str] = &["1", "2", "3", "0", "-1", "5", "7", "255", "-12"];

impl Writer<'_, '_> {
    /// An expression that has this value.
    pub fn expr(&mut self, want: Want, depth: usize) -> String {
        if depth == 0 || self.fuel == 0 || self.tape.is_empty() {
            return self.leaf(want);
        }
        if self.tape.chance(1, 4) {
            return self.leaf(want);
        }
        self.fuel -= 1;
        if want == Want::Int
            && self.tape.chance(1, 6)
            && let Some(call) = self.named_call(depth - 1)
        {
            return call;
        }
        let form = self.tape.pick(forms::of(want));
        match self.may(form) {
            true => self.fill(form, depth - 1),
            false => self.leaf(want),
        }
    }

    /// Whether a form may be used here.
    fn may(&mut self, form: &str) -> bool {
        let uses = |letter: char| {
            let mut letters = form.split(|c: char| !c.is_alphanumeric() && c != '_');
            letters.any(|word| word.len() == 1 && word.starts_with(letter))
        };
        let objects = uses('O') || form.contains("C0") || form.contains("C1");
        let objects = objects || form.contains("pool") || form.contains("C2");
        if objects && (self.rank < Rank::Closure || !self.sees(Want::Obj)) {
            return false;
        }
        if uses('G') && (self.rank < Rank::Function || !self.sees(Want::Func)) {
            return false;
        }
        // A helper that is looked up in the module, and calls others.
        let called = [
            "spread(", "down(", "fork(", "count(", "chain(", "poly(", "drive(",
        ];
        if self.rank < Rank::Closure && called.iter().any(|name| form.contains(name)) {
            return false;
        }
        let loops = [" for ", "sum(", "sorted(", "regex."];
        let loops = loops.iter().any(|mark| form.contains(mark));
        let cost = match form {
            _ if form.contains("fork(") => 60,
            _ if form.contains("down(") || form.contains("drive(") => 40,
            _ if loops || form.contains("count(") => 12,
            _ => 1,
        };
        self.affords(cost)
    }

    /// A form with its operands.
    pub fn fill(&mut self, form: &str, depth: usize) -> String {
        let binds = form.contains("for v in") || form.contains("lambda v");
        // Operands that do not see what is bound come first.
        let outer = self.operands(form, "JLDUTOG", depth, false);
        let grows = ["I * I", "I << ", "I ** (", "G(", "poly("];
        if !binds {
            let text = self.operands(&outer, "IFSBK", depth, form.contains("f'"));
            self.grew |= grows.iter().any(|mark| form.contains(mark));
            return text;
        }
        let rank = self.rank;
        if form.contains("lambda") {
            self.rank = rank.min(Rank::Closure);
        }
        let visible = self.vars.len();
        self.declare_constant("v", Want::Int);
        let text = self.times(8, |w| w.operands(&outer, "IFSBK", depth, false));
        self.vars.truncate(visible);
        self.rank = rank;
        text
    }

    /// A form in which these operands are filled in. Text between braces of an f-string takes no
    /// quotation marks, so what stands there is small.
    fn operands(&mut self, form: &str, letters: &str, depth: usize, quoted: bool) -> String {
        let mut text = String::new();
        let chars: Vec<char> = form.chars().collect();
        let is_word = |at: Option<&char>| at.is_some_and(|c| c.is_alphanumeric() || *c == '_');
        for (at, &c) in chars.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| chars.get(at));
            let alone = !is_word(before) && !is_word(chars.get(at + 1));
            if !alone || !letters.contains(c) {
                text.push(c);
                continue;
            }
            let want = match c {
                'I' | 'J' => Want::Int,
                'F' => Want::Float,
                'S' => Want::Str,
                'B' => Want::Bool,
                'L' => Want::Ints,
                'D' => Want::Dict,
                'U' => Want::Set,
                'T' => Want::Tuple,
                'O' => Want::Obj,
                'G' => Want::Func,
                _ => {
                    text += &self.key();
                    continue;
                }
            };
            let operand = match quoted {
                true => self.var(want).unwrap_or("0".to_string()),
                false => self.expr(want, depth),
            };
            let simple = |c: char| c.is_alphanumeric() || c == '_' || c == '[';
            match operand.chars().all(simple) && !operand.starts_with(|c: char| c.is_ascii_digit())
            {
                true => text += &operand,
                false => text += &format!("({operand})"),
            }
        }
        text
    }

    /// A key of a dict: equal ones have equal hashes, whatever their types.
    fn key(&mut self) -> String {
        match self.tape.below(5) {
            0 => self.leaf(Want::Int),
            1 => format!("{} & 7", self.leaf(Want::Int)),
            2 => self.leaf(Want::Str),
            3 => self.leaf(Want::Tuple),
            _ => (self.tape)
                .pick(&["1.0", "2.5", "True", "None", "'k'", "(1, 'a')", "2**64"])
                .to_string(),
        }
    }

    /// An expression without operators.
    fn leaf(&mut self, want: Want) -> String {
        if !self.tape.chance(1, 4)
            && let Some(name) = self.var(want)
        {
            return name;
        }
        match want {
            Want::Int => match self.tape.chance(1, 4) {
                true => self.tape.integer().to_string(),
                false => self.tape.pick(SMALL).to_string(),
            },
            Want::Float => self
                .tape
                .pick(&["0.5", "1.0", "-2.5", "1e16", "0.1", "-0.0", "3.0", "1e308"])
                .to_string(),
            Want::Str => self
                .tape
                .pick(&["'a'", "''", "'abc'", "'s'", "'12'", "'\\u00e4x'", "'b a'"])
                .to_string(),
            Want::Bool => self.tape.pick(&["True", "False"]).to_string(),
            Want::Ints => self.tape.pick(&["[]", "[1, 2]", "[4, 3, 9]"]).to_string(),
            Want::Dict => self.tape.pick(&["{}", "{1: 2}"]).to_string(),
            Want::Set => self.tape.pick(&["set()", "{1, 2}"]).to_string(),
            Want::Tuple => self.tape.pick(&["(1, 2, 3)", "(0, -1, 7)"]).to_string(),
            Want::Obj => match self.var(want) {
                Some(name) => name,
                None => "C0(1)".to_string(),
            },
            Want::Func => "abs".to_string(),
        }
    }

    /// An expression whose value may be kept, and be an operand again: it is bounded.
    pub fn kept(&mut self, want: Want, depth: usize) -> String {
        let outer = std::mem::take(&mut self.grew);
        let text = self.expr(want, depth);
        let grew = std::mem::replace(&mut self.grew, outer);
        match want {
            Want::Int if grew => match self.tape.below(5) {
                0 | 1 => format!("cut({text})"),
                2 => format!("({text}) & 0xffffffff"),
                3 => format!("({text}) % (2 ** 63 - 1)"),
                _ => format!("({text}) & (1 << 70) - 1"),
            },
            Want::Str => format!("({text})[:40]"),
            Want::Ints if grew => format!("[cut(v) for v in {text}][:20]"),
            Want::Ints => format!("({text})[:20]"),
            Want::Set if grew => format!("{{cut(v) for v in sorted({text})[:20]}}"),
            Want::Set => format!("set(sorted({text})[:20])"),
            Want::Dict => format!("dict([(k, cut(v)) for k, v in ({text}).items()][:20])"),
            Want::Tuple if grew => format!("tuple([cut(v) for v in {text}])"),
            Want::Func => match text.starts_with("lambda") {
                true => format!("({text})"),
                false => text,
            },
            _ => text,
        }
    }

    /// A call of a function by its name.
    pub fn named_call(&mut self, depth: usize) -> Option<String> {
        if self.rank < Rank::Closure || self.callees.is_empty() {
            return None;
        }
        let at = self.tape.below(self.callees.len());
        let callee = self.callees[at].clone();
        if !self.affords(callee.cost) {
            return None;
        }
        let args: Vec<String> = (callee.params.iter())
            .map(|&want| self.expr(want, depth))
            .collect();
        Some(format!("{}({})", callee.name, args.join(", ")))
    }
}
