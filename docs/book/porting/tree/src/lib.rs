//! The tree walker of [`before`], on Verdigris. In: the text of a program, and a number. Out: what
//! the program answers, or why it does not. Invariant: both interpreters say the same. The parser
//! is the old one.

#![forbid(unsafe_code)]

pub mod before;
mod load;

use crate::load::Scopes;
use verdigris::VmError;
use verdigris::prelude::*;

verdigris::include_jit!();

// ANCHOR: types
/// A value.
#[value]
#[derive(Clone, Copy)]
enum Value {
    /// A variable that was never set has this.
    Nothing,
    Int(i64),
    Closure(Gc<Closure>),
}

#[gc]
struct Closure {
    lambda: Gc<Lambda>,
    env: Gc<Env>,
}

#[gc]
struct Lambda {
    params: usize,
    variables: usize,
    body: Gc<Node>,
}

/// The tag of variables.
struct InEnv;
type Variables = GcArray<Cell<Value>, InEnv>;

/// The variables of a call, and those around it.
#[gc]
struct Env {
    variables: Variables,
    outer: Option<Gc<Env>>,
}

/// What `Box<Expr>` was. The field is plain: a tree does not change.
#[gc]
struct Node {
    expr: Expr,
}

type Nodes = GcArray<Gc<Node>>;

/// An expression. Names are numbers now: how many functions further out the variable is, and which
/// one of these.
#[value]
#[derive(Clone, Copy)]
enum Expr {
    Int(i64),
    Variable {
        up: usize,
        index: usize,
        /// What the name means if the variable was never set: one further out, or nothing.
        otherwise: Gc<Node>,
    },
    NoVariable(usize),
    Do(Nodes),
    Set(usize, Gc<Node>),
    Add(Gc<Node>, Gc<Node>),
    Sub(Gc<Node>, Gc<Node>),
    Less(Gc<Node>, Gc<Node>),
    If(Gc<Node>, Gc<Node>, Gc<Node>),
    While(Gc<Node>, Gc<Node>),
    Fn(Gc<Lambda>),
    Call(Gc<Node>, Nodes),
}

/// Why a program does not go on.
#[value]
#[derive(Clone, Copy)]
enum Trap {
    NoNumber,
    NoFunction,
    Unset(usize),
    Arguments,
    Depth,
}
// ANCHOR_END: types

/// How many calls can be within each other.
const MAX_DEPTH: usize = 1_000;

// ANCHOR: eval
/// Evaluates an expression.
#[portal]
fn eval(node: Gc<Node>, env: Gc<Env>, depth: usize) -> Result<Value, Trap> {
    loop {
        merge_point!(greens = [node], reds = [env, depth]);
        match node.expr {
            Expr::While(condition, body) => {
                if int(eval(condition, env, depth)?)? == 0 {
                    return Ok(Value::Int(0));
                }
                eval(body, env, depth)?;
                can_enter_jit!();
            }
            expr => return once(expr, env, depth),
        }
    }
}

/// Evaluates an expression that is no loop.
fn once(expr: Expr, env: Gc<Env>, depth: usize) -> Result<Value, Trap> {
    match expr {
        Expr::Int(n) => Ok(Value::Int(n)),
        Expr::Variable {
            up,
            index,
            otherwise,
        } => match outwards(env, up).variables[index].get() {
            Value::Nothing => eval(otherwise, env, depth),
            value => Ok(value),
        },
        Expr::NoVariable(name) => Err(Trap::Unset(name)),
        Expr::Do(nodes) => all(nodes, env, depth),
        Expr::Set(index, node) => {
            let value = eval(node, env, depth)?;
            env.variables[index].set(value);
            Ok(value)
        }
        Expr::Add(a, b) => {
            let (a, b) = (int(eval(a, env, depth)?)?, int(eval(b, env, depth)?)?);
            Ok(Value::Int(a.wrapping_add(b)))
        }
        Expr::Sub(a, b) => {
            let (a, b) = (int(eval(a, env, depth)?)?, int(eval(b, env, depth)?)?);
            Ok(Value::Int(a.wrapping_sub(b)))
        }
        Expr::Less(a, b) => {
            let (a, b) = (int(eval(a, env, depth)?)?, int(eval(b, env, depth)?)?);
            Ok(Value::Int(i64::from(a < b)))
        }
        Expr::If(condition, yes, no) => match int(eval(condition, env, depth)?)? {
            0 => eval(no, env, depth),
            _ => eval(yes, env, depth),
        },
        Expr::Fn(lambda) => Ok(Value::Closure(Gc::new(Closure { lambda, env }))),
        Expr::Call(function, arguments) => {
            let Value::Closure(closure) = eval(function, env, depth)? else {
                return Err(Trap::NoFunction);
            };
            let lambda = promote(closure.lambda);
            if arguments.len() != lambda.params {
                return Err(Trap::Arguments);
            }
            let variables = Variables::new(lambda.variables, Value::Nothing);
            set(variables, arguments, env, depth)?;
            if depth == MAX_DEPTH {
                return Err(Trap::Depth);
            }
            let inner = Gc::new(Env {
                variables,
                outer: Some(closure.env),
            });
            eval(lambda.body, inner, depth + 1)
        }
        Expr::While(..) => unreachable!("`eval` has the loops"),
    }
}

/// Evaluates one expression after the other. `#[unroll_safe]`: how many there are is in the tree,
/// which is constant.
#[unroll_safe]
fn all(nodes: Nodes, env: Gc<Env>, depth: usize) -> Result<Value, Trap> {
    let mut last = Value::Int(0);
    for n in 0..nodes.len() {
        last = eval(nodes[n], env, depth)?;
    }
    Ok(last)
}
// ANCHOR_END: eval

/// Evaluates the arguments of a call, and makes them the callee's first variables.
#[unroll_safe]
fn set(variables: Variables, nodes: Nodes, env: Gc<Env>, depth: usize) -> Result<(), Trap> {
    for n in 0..nodes.len() {
        variables[n].set(eval(nodes[n], env, depth)?);
    }
    Ok(())
}

#[unroll_safe]
fn outwards(env: Gc<Env>, up: usize) -> Gc<Env> {
    let mut env = env;
    for _ in 0..up {
        env = match env.outer {
            Some(outer) => outer,
            None => unreachable!("the loader counts the functions around a name"),
        };
    }
    env
}

fn int(value: Value) -> Result<i64, Trap> {
    match value {
        Value::Int(n) => Ok(n),
        _ => Err(Trap::NoNumber),
    }
}

/// A VM for the language.
///
/// # Errors
/// If the options make no sense; see [`Vm::new`].
pub fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

/// Runs a program text with a number.
///
/// # Errors
/// Why the text is no program, or why it does not go on.
pub fn answer(vm: &Vm, text: &str, n: i64) -> Result<String, String> {
    let program = before::parse(text)?;
    let answer = vm.try_enter(|| {
        let mut scopes = Scopes::default();
        let lambda = scopes.lambda(&["n".to_string()], &program);
        let variables = Variables::new(lambda.variables, Value::Nothing);
        variables[0].set(Value::Int(n));
        let env = Gc::new(Env {
            variables,
            outer: None,
        });
        match eval(lambda.body, env, 0) {
            Ok(Value::Int(n)) => Ok(n.to_string()),
            Ok(_) => Ok("a function".to_string()),
            Err(Trap::NoNumber) => Err("a function is no number".to_string()),
            Err(Trap::NoFunction) => Err("a number is no function".to_string()),
            Err(Trap::Unset(name)) => Err(format!("`{}` has no value", scopes.unknown[name])),
            Err(Trap::Arguments) => Err("wrong number of arguments".to_string()),
            Err(Trap::Depth) => Err("too many calls within each other".to_string()),
        }
    });
    answer.map_err(|stopped| stopped.to_string())?
}
