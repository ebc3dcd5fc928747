//! Expressions of programs for the stack machine. In: the type that is wanted. Out: instructions
//! that leave one value on the stack. Invariant: what is divided by is not zero, and an index is
//! one that the list has, but now and then.

use super::{Want, Writer};

const WANTS: [Want; 6] = [
    Want::Int,
    Want::Float,
    Want::Bool,
    Want::Str,
    Want::List,
    Want::Function,
];

const FLOATS: [&str; 12] = [
    "0.5",
    "-0.0",
    "0.0",
    "NaN",
    "inf",
    "-inf",
    "1.0",
    "1e308",
    "5e-324",
    "-2.5",
    "9007199254740993.0",
    "-1e-3",
];

impl Writer<'_, '_> {
    /// An expression that leaves one value.
    pub(super) fn expr(&mut self, want: Want, depth: usize) {
        let small = depth == 0 || self.fuel == 0 || self.tape.is_empty();
        self.fuel = self.fuel.saturating_sub(1);
        let want = match self.tape.chance(1, 64) {
            true => self.tape.pick(&WANTS),
            false => want,
        };
        match want {
            Want::Int if small => self.small_int(),
            Want::Int => self.int(depth - 1),
            Want::Float => self.float(if small { 0 } else { depth }),
            Want::Bool => self.bool(if small { 0 } else { depth }),
            Want::Str => self.string(if small { 0 } else { depth }),
            Want::List => self.list(if small { 0 } else { depth }),
            Want::Function => {
                let functions = ["push @f0", "push @f1", "get g", "push @rec"];
                let known = if self.scope.functions.is_empty() {
                    1
                } else {
                    4
                };
                let function = self.tape.pick(&functions[..known]);
                self.lines(function);
            }
        }
    }

    fn get(&mut self, variables: &[&str], otherwise: &str) {
        match variables {
            [] => self.lines(otherwise),
            some => {
                let variable = self.tape.pick(some);
                self.lines(&format!("get {variable}"));
            }
        }
    }

    fn small_int(&mut self) {
        match self.tape.weighted(&[5, 4, 4]) {
            0 => self.get(self.scope.ints, "push 1"),
            1 if self.scope.callees.len() == 2 => self.lines("get i"),
            1 => self.lines("get p"),
            _ => {
                let value = match self.tape.chance(1, 12) {
                    true => self.tape.integer(),
                    false => self.tape.within(-20, 20),
                };
                self.lines(&format!("push {value}"));
            }
        }
    }

    fn int(&mut self, depth: usize) {
        match self.tape.weighted(&[4, 12, 3, 3, 3, 6, 2, 2]) {
            0 => self.small_int(),
            1 => {
                self.expr(Want::Int, depth);
                self.expr(Want::Int, depth);
                let op = self.tape.pick(&["add", "sub", "mul"]);
                self.lines(op);
            }
            2 => {
                self.expr(Want::Int, depth);
                self.divisor(depth);
            }
            3 => self.choice(Want::Int, depth),
            4 if !self.scope.lists.is_empty() => {
                let list = self.tape.pick(self.scope.lists);
                self.lines(&format!("get {list}"));
                self.index(list);
                self.lines("at");
            }
            5 => self.call(depth),
            6 if !self.scope.lists.is_empty() => {
                let want = self.tape.pick(&[Want::List, Want::Str]);
                self.expr(want, depth);
                self.lines("len");
            }
            _ if self.scope.lists.is_empty() => self.small_int(),
            _ => {
                let list = self.tape.pick(self.scope.lists);
                self.lines(&format!("get {list}"));
                self.expr(Want::Int, 0);
                self.lines(&format!("append, get {list}, pop"));
            }
        }
    }

    /// Divides, by zero hardly ever, or in the middle of the loop.
    fn divisor(&mut self, depth: usize) {
        match self.tape.weighted(&[10, 2, 1]) {
            0 => {
                let by = self.tape.pick(&[7, 1, 2, -3, -1, 100]);
                self.lines(&format!("push {by}"));
            }
            1 => {
                let turn = self.tape.within(5, 60);
                self.small_int();
                self.lines(&format!("push {turn}, sub"));
            }
            _ => self.expr(Want::Int, depth),
        }
        let op = self.tape.pick(&["div", "rem"]);
        self.lines(op);
    }

    fn float(&mut self, depth: usize) {
        if depth == 0 {
            return match self.tape.weighted(&[3, 2]) {
                0 => self.get(self.scope.floats, "push 0.5"),
                _ => {
                    let value = self.tape.pick(&FLOATS);
                    self.lines(&format!("push {value}"));
                }
            };
        }
        match self.tape.weighted(&[10, 3, 2]) {
            0 => {
                self.expr(Want::Float, depth - 1);
                let other = self.tape.pick(&[Want::Float, Want::Float, Want::Int]);
                self.expr(other, depth - 1);
                let op = self.tape.pick(&["add", "sub", "mul", "div", "rem"]);
                self.lines(op);
            }
            1 => self.choice(Want::Float, depth - 1),
            _ => {
                self.expr(Want::Int, depth - 1);
                self.expr(Want::Float, depth - 1);
                let op = self.tape.pick(&["mul", "sub", "div"]);
                self.lines(op);
            }
        }
    }

    fn bool(&mut self, depth: usize) {
        if depth == 0 {
            let turn = self.tape.within(0, 60);
            self.small_int();
            return self.lines(&format!("push {turn}, less"));
        }
        match self.tape.weighted(&[5, 3, 2, 2, 1]) {
            0 => {
                let want = self.tape.pick(&[Want::Int, Want::Float, Want::Int]);
                self.expr(want, depth - 1);
                self.expr(want, depth - 1);
                let op = self.tape.pick(&["less", "less_equal", "equal"]);
                self.lines(op);
            }
            1 => {
                let by = self.tape.within(2, 5);
                self.small_int();
                self.lines(&format!("push {by}, rem, push 0, equal"));
            }
            2 => {
                self.expr(Want::Bool, depth - 1);
                self.lines("not");
            }
            3 => {
                let want = self
                    .tape
                    .pick(&[Want::Str, Want::List, Want::Bool, Want::Function]);
                self.expr(want, depth - 1);
                self.expr(want, depth - 1);
                self.lines("equal");
            }
            _ => {
                let value = self
                    .tape
                    .pick(&["push true", "push false", "push nil", "push 0"]);
                self.lines(value);
            }
        }
    }

    fn string(&mut self, depth: usize) {
        match (depth, self.tape.weighted(&[3, 2, 2, 1])) {
            (1.., 2) => {
                self.expr(Want::Str, depth - 1);
                let more = self
                    .tape
                    .pick(&["\"a\"", "\"\"", "\"ä\"", "\"long enough to differ\""]);
                self.lines(&format!("push {more}, add"));
            }
            (1.., 3) => self.choice(Want::Str, depth - 1),
            (_, 1) => {
                let value = self.tape.pick(&["push \"\"", "push \"s\"", "push \"b\""]);
                self.lines(value);
            }
            _ => self.get(self.scope.strings, "push \"t\""),
        }
    }

    fn list(&mut self, depth: usize) {
        match (depth, self.tape.weighted(&[4, 3, 1])) {
            (1.., 1) => {
                let count = self.tape.below(4);
                for _ in 0..count {
                    let want = self
                        .tape
                        .pick(&[Want::Int, Want::Float, Want::Int, Want::Str]);
                    self.expr(want, depth - 1);
                }
                self.lines(&format!("list {count}"));
            }
            (1.., 2) => self.choice(Want::List, depth - 1),
            _ => self.get(self.scope.lists, "list 0"),
        }
    }

    /// One of two, by a condition.
    fn choice(&mut self, want: Want, depth: usize) {
        let label = self.text.label();
        self.expr(Want::Bool, depth);
        self.lines(&format!("unless else{label}"));
        self.expr(want, depth);
        self.lines(&format!("jump end{label}, else{label}:"));
        self.expr(want, depth);
        self.lines(&format!("end{label}:"));
    }

    fn call(&mut self, depth: usize) {
        let main = !self.scope.functions.is_empty();
        match self.tape.weighted(&[3, 3, 2]) {
            _ if self.scope.callees.is_empty() => return self.small_int(),
            1 if main => self.lines("get g"),
            2 if main => {
                let down = self.tape.pick(&["push 3", "get i", "push 9"]);
                self.lines(&format!("push @rec, {down}"));
                self.expr(Want::Int, depth);
                return self.lines("call 2");
            }
            _ => {
                let callee = self.tape.pick(self.scope.callees);
                self.lines(&format!("push {callee}"));
            }
        }
        let want = self.tape.pick(&[Want::Int, Want::Int, Want::Float]);
        self.expr(want, depth);
        self.lines("call 1");
    }
}
