//! Reads the table of rules at compile time. A line that is not a rule stops the build with the
//! rest of that line.
//!
//! One rule per line, `#` starts a comment:
//!
//! ```text
//! rule    = name ":" term [ "where" cond { "," cond } ] "=>" term
//! term    = operation "(" term { "," term } ")" | "x" | "y" | "z" | "C" | "D" | "E" | number | symbol
//!         | "log2" "(" term ")" | "-" term | "!" term | "(" term ")" | term infix term
//! infix   = "*"   "+" "-"   "<<" ">>" ">>u"   "&"   "^"   "|"              (in this order of precedence)
//! cond    = term compare term | term "fits" | term "is boolean" | term "is 2^k"
//!         | term "is whole" | term "has reciprocal" | term "differs from" term | "no" operation
//! compare = "==" "!=" "<" "<=" ">" ">=" "<u" "<=u" ">u" ">=u"              (those with u are unsigned)
//! symbol  = "MIN" "MAX" "WIDTH" "LOW8" "LOW16" "LOW32" "ABOVE8" "ABOVE16" "ABOVE32" "EXACT"
//! ```
//!
//! Infix operators are other names of operations, so that what a rule computes has the operations'
//! own meaning.

use super::pattern::{Cond, MAX_CONDS, MAX_TERMS, Rule, Symbol, Term, TermId};
use verdigris_ops::DataOp;

/// How many rules a text has.
pub(crate) const fn count(text: &'static str) -> usize {
    let mut lines = Lines { text };
    let mut n = 0;
    while let Some(line) = lines.next() {
        if is_rule(line) {
            n += 1;
        }
    }
    n
}

/// The rules of a text.
pub(crate) const fn rules<const N: usize>(text: &'static str) -> [Rule; N] {
    let mut rules = [NO_RULE; N];
    let mut lines = Lines { text };
    let mut n = 0;
    while let Some(line) = lines.next() {
        if is_rule(line) {
            rules[n] = Parser::of(line).rule();
            n += 1;
        }
    }
    rules
}

const NO_RULE: Rule = Rule {
    name: "",
    text: "",
    terms: [Term::Number(0); MAX_TERMS],
    len: 0,
    constant: 0,
    before: TermId(0),
    conds: [None; MAX_CONDS],
    after: TermId(0),
};

const fn is_rule(line: &str) -> bool {
    let line = line.as_bytes();
    !line.is_empty() && line[0] != b'#'
}

struct Lines {
    text: &'static str,
}

impl Lines {
    const fn next(&mut self) -> Option<&'static str> {
        let bytes = self.text.as_bytes();
        if bytes.is_empty() {
            return None;
        }
        let mut end = 0;
        while end < bytes.len() && bytes[end] != b'\n' {
            end += 1;
        }
        let (line, rest) = self.text.split_at(end);
        self.text = match rest.is_empty() {
            true => rest,
            false => rest.split_at(1).1,
        };
        Some(line)
    }
}

struct Parser {
    line: &'static str,
    at: usize,
    rule: Rule,
}

impl Parser {
    const fn of(line: &'static str) -> Parser {
        Parser {
            line,
            at: 0,
            rule: Rule {
                text: line,
                ..NO_RULE
            },
        }
    }

    const fn rule(mut self) -> Rule {
        self.rule.name = self.word();
        self.expect(":");
        self.rule.before = self.term(0);
        if self.takes("where") {
            let mut n = 0;
            loop {
                self.rule.conds[n] = Some(self.cond());
                n += 1;
                if !self.takes(",") {
                    break;
                }
            }
        }
        self.expect("=>");
        self.rule.after = self.term(0);
        self.space();
        if self.at < self.line.len() {
            self.fail();
        }
        self.rule
    }

    /// Stops the build with what has not been read.
    const fn fail(&self) -> ! {
        panic!("{}", self.line.split_at(self.at).1)
    }

    const fn peek(&self) -> u8 {
        match self.at < self.line.len() {
            true => self.line.as_bytes()[self.at],
            false => b'\n',
        }
    }

    const fn space(&mut self) {
        while self.peek() == b' ' {
            self.at += 1;
        }
    }

    /// Takes a token if it comes next.
    const fn takes(&mut self, token: &str) -> bool {
        self.space();
        let (bytes, token) = (self.line.as_bytes(), token.as_bytes());
        let mut i = 0;
        while i < token.len() {
            if self.at + i >= bytes.len() || bytes[self.at + i] != token[i] {
                return false;
            }
            i += 1;
        }
        if is_word(token[0]) && self.at + i < bytes.len() && is_word(bytes[self.at + i]) {
            return false;
        }
        self.at += i;
        true
    }

    const fn expect(&mut self, token: &str) {
        if !self.takes(token) {
            self.fail();
        }
    }

    const fn word(&mut self) -> &'static str {
        self.space();
        let start = self.at;
        while is_word(self.peek()) {
            self.at += 1;
        }
        if self.at == start {
            self.fail();
        }
        self.line.split_at(self.at).0.split_at(start).1
    }

    const fn add(&mut self, term: Term) -> TermId {
        let rule = &mut self.rule;
        let constant = match term {
            Term::Var(_) => false,
            Term::Op(_, [a, b]) => rule.is_constant(a) && rule.is_constant(b),
            Term::Log2(a) => rule.is_constant(a),
            _ => true,
        };
        rule.terms[rule.len as usize] = term;
        rule.constant |= (constant as u32) << rule.len;
        rule.len += 1;
        TermId(rule.len - 1)
    }

    /// A term whose infix operators all bind tighter than `least`.
    const fn term(&mut self, least: u8) -> TermId {
        let mut left = self.operand();
        while let Some((op, strength)) = self.infix(least) {
            let right = self.term(strength);
            left = self.add(Term::Op(op, [left, right]));
        }
        left
    }

    const fn infix(&mut self, least: u8) -> Option<(DataOp, u8)> {
        const INFIX: [(&str, DataOp, u8); 9] = [
            ("|", DataOp::IntOr, 1),
            ("^", DataOp::IntXor, 2),
            ("&", DataOp::IntAnd, 3),
            ("<<", DataOp::IntShl, 4),
            (">>u", DataOp::UintShr, 4),
            (">>", DataOp::IntShr, 4),
            ("+", DataOp::IntAdd, 5),
            ("-", DataOp::IntSub, 5),
            ("*", DataOp::IntMul, 6),
        ];
        let mut i = 0;
        while i < INFIX.len() {
            let (token, op, strength) = INFIX[i];
            if strength > least && self.takes(token) {
                return Some((op, strength));
            }
            i += 1;
        }
        None
    }

    const fn operand(&mut self) -> TermId {
        self.space();
        match self.peek() {
            b'(' => {
                self.expect("(");
                let inner = self.term(0);
                self.expect(")");
                inner
            }
            b'!' => {
                self.expect("!");
                let inner = self.operand();
                self.add(Term::Op(DataOp::IntNot, [inner, inner]))
            }
            b'-' => {
                self.expect("-");
                if self.peek().is_ascii_digit() {
                    return self.number(true);
                }
                let inner = self.operand();
                self.add(Term::Op(DataOp::IntNeg, [inner, inner]))
            }
            b'0'..=b'9' => self.number(false),
            _ => self.named(),
        }
    }

    const fn number(&mut self, negative: bool) -> TermId {
        let mut value = 0i32;
        while self.peek().is_ascii_digit() {
            value = value * 10 + (self.peek() - b'0') as i32;
            self.at += 1;
        }
        if self.peek() != b'.' {
            return self.add(Term::Number(if negative { -value } else { value }));
        }
        self.expect(".0");
        let value = value as f32;
        let value = if negative { -value } else { value };
        self.add(Term::Float(value.to_bits()))
    }

    const fn named(&mut self) -> TermId {
        let start = self.at;
        let name = self.word();
        let term = match name.as_bytes() {
            [c @ b'x'..=b'z'] => Term::Var(*c - b'x'),
            [c @ b'C'..=b'E'] => Term::Const(*c - b'C'),
            b"MIN" => Term::Symbol(Symbol::Min),
            b"MAX" => Term::Symbol(Symbol::Max),
            b"WIDTH" => Term::Symbol(Symbol::Width),
            b"LOW8" => Term::Symbol(Symbol::Low(8)),
            b"LOW16" => Term::Symbol(Symbol::Low(16)),
            b"LOW32" => Term::Symbol(Symbol::Low(32)),
            b"ABOVE8" => Term::Symbol(Symbol::Above(8)),
            b"ABOVE16" => Term::Symbol(Symbol::Above(16)),
            b"ABOVE32" => Term::Symbol(Symbol::Above(32)),
            b"EXACT" => Term::Symbol(Symbol::Exact),
            b"log2" => Term::Log2(self.operand()),
            _ => match operation(name) {
                Some(op) => return self.application(op),
                None => {
                    self.at = start;
                    self.fail()
                }
            },
        };
        self.add(term)
    }

    const fn application(&mut self, op: DataOp) -> TermId {
        self.expect("(");
        let first = self.term(0);
        let second = match op.params().len() {
            1 => first,
            _ => {
                self.expect(",");
                self.term(0)
            }
        };
        self.expect(")");
        self.add(Term::Op(op, [first, second]))
    }

    const fn cond(&mut self) -> Cond {
        if self.takes("no") {
            return match operation(self.word()) {
                Some(op) => Cond::Unknown(op),
                None => self.fail(),
            };
        }
        let left = self.term(0);
        if self.takes("fits") {
            return match self.rule.term(left) {
                Term::Op(op, operands) => Cond::Fits(op, operands),
                _ => self.fail(),
            };
        }
        if self.takes("is boolean") {
            let one = self.add(Term::Number(1));
            let others = self.add(Term::Op(DataOp::IntNot, [one, one]));
            let masked = self.add(Term::Op(DataOp::IntAnd, [left, others]));
            let zero = self.add(Term::Number(0));
            return Cond::Holds(DataOp::IntEq, [masked, zero]);
        }
        if self.takes("is whole") {
            let word = self.add(Term::Op(DataOp::FloatToInt, [left, left]));
            let back = self.add(Term::Op(DataOp::IntToFloat, [word, word]));
            return Cond::Holds(DataOp::FloatEq, [back, left]);
        }
        if self.takes("is 2^k") {
            return Cond::PowerOfTwo(left);
        }
        if self.takes("has reciprocal") {
            return Cond::Reciprocal(left);
        }
        if self.takes("differs from") {
            return Cond::Differs([left, self.term(0)]);
        }
        let op = self.comparison();
        Cond::Holds(op, [left, self.term(0)])
    }

    const fn comparison(&mut self) -> DataOp {
        // Where one is the beginning of another, the longer one comes first.
        const COMPARISONS: [(&str, DataOp); 10] = [
            ("==", DataOp::IntEq),
            ("!=", DataOp::IntNe),
            ("<=u", DataOp::UintLe),
            ("<=", DataOp::IntLe),
            ("<u", DataOp::UintLt),
            ("<", DataOp::IntLt),
            (">=u", DataOp::UintGe),
            (">=", DataOp::IntGe),
            (">u", DataOp::UintGt),
            (">", DataOp::IntGt),
        ];
        let mut i = 0;
        while i < COMPARISONS.len() {
            let (token, op) = COMPARISONS[i];
            if self.takes(token) {
                return op;
            }
            i += 1;
        }
        self.fail()
    }
}

const fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

const fn operation(name: &str) -> Option<DataOp> {
    let name = name.as_bytes();
    let mut i = 0;
    while i < DataOp::ALL.len() {
        let op = DataOp::ALL[i];
        if same(op.name().as_bytes(), name) && op.is_pure() {
            return Some(op);
        }
        i += 1;
    }
    None
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
