//! The stack machine: integers that overflow, floats, strings, lists, functions as values. In: a
//! tape. Out: a program with a hot loop in its first function. Invariant: programs end. Loops count
//! up to small numbers; a function calls those before it, except for `rec`, which counts down, and
//! for one that recurses until the machine says that it is too deep.
//!
//! Most expressions have the type that is wanted; integers that are kept are mostly made small, or
//! else overflow is how most programs would end.

mod exprs;

use super::text::Text;
use crate::heap::{self, Look};
use crate::language::{Language, Program};
use fuzz_tape::Tape;
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
            text: Text::default(),
            fuel: 0,
            nested: 0,
            scope: &MAIN,
        };
        writer.program();
        Program {
            text: writer.text.finish(),
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

/// The visible content of a value. Which of the many NaNs one is, neither Rust nor the JIT
/// promises.
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

struct Writer<'t, 'b> {
    tape: &'t mut Tape<'b>,
    text: Text,
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
        self.text.lines(lines);
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
        let label = self.text.label();
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
        let label = self.text.label();
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
}
