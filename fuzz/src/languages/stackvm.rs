//! The stack machine: integers that overflow, floats, strings, lists, functions as values. In: a tape. Out: a program with a hot loop in
//! its first function. Invariant: programs end. Loops count up to small numbers; a function calls those before it, except for
//! `rec`, which counts down, and for one that recurses until the machine says that it is too deep.
//!
//! Most expressions have the type that is wanted; integers that are kept are mostly made small, or else overflow is how most
//! programs would end.

use crate::heap::{self, Look};
use crate::language::{Language, Program};
use crate::tape::Tape;
use stackvm::Value;
use verdigris::Options;
use verdigris_testing::{Outcome, Run};

/// The language.
pub struct StackVm;

impl Language for StackVm {
    fn name(&self) -> &'static str {
        "stackvm"
    }

    fn comment(&self) -> &'static str {
        "#"
    }

    fn program(&self, tape: &mut Tape<'_>) -> Program {
        let turns = 20 + tape.within(0i64, 60);
        let mut writer = Writer {
            tape,
            text: String::new(),
            labels: 0,
            fuel: 0,
            nested: 0,
            scope: &MAIN,
        };
        writer.program();
        Program {
            text: writer.text,
            args: vec![turns],
        }
    }

    fn run(&self, program: &Program, _: &str, options: Options) -> Result<Run, String> {
        let vm = stackvm::machine(options).map_err(|error| error.to_string())?;
        let mut begun = false;
        let (printed, result) = stackvm::collect(|| {
            stackvm::run(&vm, &program.text, &program.args, |result, left| {
                begun = true;
                let (value, error) = match result {
                    Ok(value) => (Some(value), None),
                    Err(error) => (None, Some(error)),
                };
                let roots: Vec<Value> = left.iter().copied().chain(value).collect();
                (heap::describe(&roots, look), error)
            })
        });
        let (left, error) = match result {
            Ok(done) => done,
            Err(error) if begun || error.to_string().contains("used up") => {
                (String::new(), Some(error.to_string()))
            }
            Err(error) => return Err(error.to_string()),
        };
        Ok(Run {
            outcome: Outcome {
                output: printed + &left,
                error,
            },
            stats: vm.stats(),
            traces: vm.traces(),
        })
    }

    fn command(&self, file: &str, program: &Program, _: &str, jit: &str) -> String {
        let turns = program.args.first().unwrap_or(&0);
        format!("stackvm {file} {turns} --jit {jit}")
    }
}

/// What there is to see of a value. Which of the many NaNs one is, neither Rust nor the JIT promises.
fn look(value: Value) -> Look<Value> {
    match value {
        Value::Nil => Look::Plain("nil".to_string()),
        Value::Bool(b) => Look::Plain(b.to_string()),
        Value::Int(i) => Look::Plain(i.to_string()),
        Value::Float(f) => Look::Plain(format!("{f:?}")),
        Value::Str(text) => Look::Plain(format!("{:?}", text.as_str())),
        Value::Fn(function) => Look::Plain(format!("@{}", function.name.as_str())),
        Value::List(list) => Look::Object {
            identity: format!("{list:?}"),
            label: "list".to_string(),
            parts: (0..list.len()).map(|index| list.at(index)).collect(),
        },
    }
}

/// The variables of a function that are mostly of one type.
struct Scope {
    ints: &'static [&'static str],
    floats: &'static [&'static str],
    strings: &'static [&'static str],
    lists: &'static [&'static str],
    functions: &'static [&'static str],
    /// The functions that can be called.
    callees: &'static [&'static str],
}

const MAIN: Scope = Scope {
    ints: &["a", "b"],
    floats: &["x", "y"],
    strings: &["s"],
    lists: &["l", "m"],
    functions: &["g"],
    callees: &["@f0", "@f1"],
};

const F1: Scope = Scope {
    ints: &["p", "q"],
    floats: &["w"],
    strings: &[],
    lists: &["k"],
    functions: &[],
    callees: &["@f0"],
};

const F0: Scope = Scope {
    ints: &["p", "q"],
    floats: &["w"],
    strings: &[],
    lists: &[],
    functions: &[],
    callees: &[],
};

/// The type that is wanted.
#[derive(Clone, Copy, PartialEq)]
enum Want {
    Int,
    Float,
    Bool,
    Str,
    List,
    Function,
}

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

struct Writer<'t, 'b> {
    tape: &'t mut Tape<'b>,
    text: String,
    labels: usize,
    /// How many expressions may still be written before they have to be small.
    fuel: usize,
    /// In how many loops this is, beside the main loop.
    nested: usize,
    scope: &'static Scope,
}

impl Writer<'_, '_> {
    fn program(&mut self) {
        self.lines("fn main(n)");
        self.lines(
            "push 1, set a, push 7, set b, push 0.5, set x, push -0.0, set y, push \"s\", set s",
        );
        self.lines("push 1, push 2.5, push 3, list 3, set l, list 0, set m, push @f0, set g, push 0, set i");
        self.lines("loop:, get i, get n, less, unless done");
        self.scope = &MAIN;
        self.fuel = 40;
        for _ in 0..1 + self.tape.below(6) {
            self.statement(3);
        }
        self.lines("get i, push 1, add, set i, jump loop, done:");
        self.lines("get a, get x, get s, get l, get m, list 5, return, end");
        for (name, scope) in [("f0", &F0), ("f1", &F1)] {
            self.lines(&format!("fn {name}(p)"));
            self.lines("push 3, set q, push 1.5, set w, push 1, push 2, list 2, set k");
            self.scope = scope;
            self.fuel = 10;
            for _ in 0..self.tape.below(3) {
                self.statement(2);
            }
            self.expr(Want::Int, 3);
            self.lines("return, end");
        }
        self.recursive();
    }

    /// `rec(d, p)`: counts `d` down.
    fn recursive(&mut self) {
        self.lines(
            "fn rec(d,p), push 1, set q, push 0.25, set w, get d, push 1, less, unless deeper",
        );
        self.scope = &F0;
        self.fuel = 4;
        self.expr(Want::Int, 2);
        self.lines("return, deeper:");
        self.fuel = 8;
        self.expr(Want::Int, 2);
        // One in many never ends by itself.
        let down = if self.tape.chance(1, 40) { 0 } else { 1 };
        self.lines(&format!("push @rec, get d, push {down}, sub"));
        self.expr(Want::Int, 2);
        self.lines("call 2");
        let join = self.tape.pick(&["add", "sub", "less", "mul", "equal"]);
        self.lines(join);
        self.lines(
            "push 65537, rem, return, end".trim_start_matches(match join {
                "less" | "equal" => "push 65537, rem, ",
                _ => "",
            }),
        );
    }

    fn lines(&mut self, lines: &str) {
        for line in lines.split(", ") {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    fn statement(&mut self, depth: usize) {
        let weights: &[u16] = match depth {
            0 => &[8, 6, 3, 4, 2, 1, 1],
            _ => &[8, 6, 3, 4, 2, 1, 1, 6, 4],
        };
        match self.tape.weighted(weights) {
            0 => {
                self.expr(Want::Int, 3);
                // Mostly small again.
                if self.tape.chance(7, 8) {
                    self.lines("push 10007, rem");
                }
                self.set(self.scope.ints);
            }
            1 => {
                self.expr(Want::Float, 3);
                self.set(self.scope.floats);
            }
            2 if !self.scope.strings.is_empty() => {
                self.expr(Want::Str, 2);
                self.set(self.scope.strings);
            }
            3 if !self.scope.lists.is_empty() => self.change_list(),
            4 if !self.scope.functions.is_empty() => {
                self.expr(Want::Function, 1);
                self.set(self.scope.functions);
            }
            5 => {
                // A list would be shown in full, and it may contain itself many times over.
                let want = self.tape.pick(&[Want::Int, Want::Float]);
                self.expr(want, 2);
                self.lines("push 0, add, print");
            }
            6 if !self.scope.lists.is_empty() => {
                self.expr(Want::List, 2);
                self.set(self.scope.lists);
            }
            7 => self.conditional(depth - 1),
            8 if self.nested < 2 => self.counted(depth - 1),
            _ => {
                self.expr(Want::Int, 2);
                self.lines("drop");
            }
        }
    }

    fn set(&mut self, variables: &[&str]) {
        let variable = self.tape.pick(variables);
        self.lines(&format!("set {variable}"));
    }

    fn change_list(&mut self) {
        let list = self.tape.pick(self.scope.lists);
        self.lines(&format!("get {list}"));
        match self.tape.weighted(&[6, 5, 1, 2]) {
            0 => {
                let want = self
                    .tape
                    .pick(&[Want::Int, Want::Int, Want::Float, Want::Bool]);
                self.expr(want, 2);
                self.lines("append");
            }
            1 => {
                self.index(list);
                self.expr(Want::Int, 2);
                self.lines("put");
            }
            // A list in a list, which may be the same one.
            2 => {
                let other = self.tape.pick(self.scope.lists);
                self.lines(&format!("get {other}, append"));
            }
            _ => self.lines("pop, drop"),
        }
    }

    /// An index that a list has, if it has any; or any.
    fn index(&mut self, list: &str) {
        self.expr(Want::Int, 1);
        if self.tape.chance(15, 16) {
            // The remainder of a negative number is negative: it is made smaller twice.
            self.lines(&format!(
                "get {list}, len, rem, get {list}, len, add, get {list}, len, rem"
            ));
        }
    }

    fn conditional(&mut self, depth: usize) {
        let label = self.label();
        self.expr(Want::Bool, 2);
        self.lines(&format!("unless else{label}"));
        for _ in 0..1 + self.tape.below(2) {
            self.statement(depth);
        }
        self.lines(&format!("jump end{label}, else{label}:"));
        for _ in 0..self.tape.below(2) {
            self.statement(depth);
        }
        self.lines(&format!("end{label}:"));
    }

    fn counted(&mut self, depth: usize) {
        let label = self.label();
        let turns = self.tape.pick(&[1, 2, 3, 4, 5, 12]);
        self.lines(&format!(
            "push 0, set n{label}, loop{label}:, get n{label}, push {turns}, less, unless end{label}"
        ));
        self.nested += 1;
        for _ in 0..1 + self.tape.below(2) {
            self.statement(depth);
        }
        self.nested -= 1;
        self.lines(&format!(
            "get n{label}, push 1, add, set n{label}, jump loop{label}, end{label}:"
        ));
    }

    /// An expression that leaves one value.
    fn expr(&mut self, want: Want, depth: usize) {
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
        let label = self.label();
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
