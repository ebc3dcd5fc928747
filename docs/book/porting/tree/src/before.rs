//! An interpreter that walks a tree, in the usual style, without a JIT. In: the text of a program,
//! and a number. Out: what the program answers, or why it does not. Invariant: it uses nothing but
//! the standard library; the rest of the crate is the same language on Verdigris.
//!
//! A program is one expression: a number, a name, or one of `(do E ..)`, `(set NAME E)`, `(+ E E)`,
//! `(- E E)`, `(< E E)`, `(if E E E)`, `(while E E)`, `(fn (NAME ..) E)`, `(call E E ..)`. `set`
//! makes or changes a variable of the function that it is in. The variable `n` has the number at
//! first.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

// ANCHOR: types
/// An expression.
#[derive(Debug)]
pub enum Expr {
    Int(i64),
    Name(String),
    Do(Vec<Expr>),
    Set(String, Box<Expr>),
    Binary(char, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    While(Box<Expr>, Box<Expr>),
    Fn(Rc<Lambda>),
    Call(Box<Expr>, Vec<Expr>),
}

/// What a function is in the text.
#[derive(Debug)]
pub struct Lambda {
    pub params: Vec<String>,
    pub body: Expr,
}

/// A value.
#[derive(Clone)]
pub enum Value {
    Int(i64),
    Closure(Rc<Lambda>, Rc<Env>),
}

/// The variables of a call, and those around it.
pub struct Env {
    variables: RefCell<HashMap<String, Value>>,
    outer: Option<Rc<Env>>,
}
// ANCHOR_END: types

impl Env {
    fn get(&self, name: &str) -> Option<Value> {
        let here = self.variables.borrow().get(name).cloned();
        here.or_else(|| self.outer.as_ref()?.get(name))
    }
}

fn int(value: Value) -> Result<i64, String> {
    match value {
        Value::Int(n) => Ok(n),
        Value::Closure(..) => Err("a function is no number".to_string()),
    }
}

// ANCHOR: eval
/// Evaluates an expression.
///
/// # Errors
/// Why it does not go on.
pub fn eval(expr: &Expr, env: &Rc<Env>) -> Result<Value, String> {
    match expr {
        Expr::Int(n) => Ok(Value::Int(*n)),
        Expr::Name(name) => env
            .get(name)
            .ok_or_else(|| format!("`{name}` has no value")),
        Expr::Do(exprs) => {
            let mut last = Value::Int(0);
            for expr in exprs {
                last = eval(expr, env)?;
            }
            Ok(last)
        }
        Expr::Set(name, expr) => {
            let value = eval(expr, env)?;
            let mut variables = env.variables.borrow_mut();
            variables.insert(name.clone(), value.clone());
            Ok(value)
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = (int(eval(a, env)?)?, int(eval(b, env)?)?);
            Ok(Value::Int(match op {
                '+' => a.wrapping_add(b),
                '-' => a.wrapping_sub(b),
                _ => i64::from(a < b),
            }))
        }
        Expr::If(condition, yes, no) => match int(eval(condition, env)?)? {
            0 => eval(no, env),
            _ => eval(yes, env),
        },
        Expr::While(condition, body) => {
            while int(eval(condition, env)?)? != 0 {
                eval(body, env)?;
            }
            Ok(Value::Int(0))
        }
        Expr::Fn(lambda) => Ok(Value::Closure(lambda.clone(), env.clone())),
        Expr::Call(function, arguments) => {
            let Value::Closure(lambda, outer) = eval(function, env)? else {
                return Err("a number is no function".to_string());
            };
            if arguments.len() != lambda.params.len() {
                return Err("wrong number of arguments".to_string());
            }
            let mut variables = HashMap::new();
            for (name, argument) in lambda.params.iter().zip(arguments) {
                variables.insert(name.clone(), eval(argument, env)?);
            }
            let inner = Env {
                variables: RefCell::new(variables),
                outer: Some(outer),
            };
            eval(&lambda.body, &Rc::new(inner))
        }
    }
}
// ANCHOR_END: eval

/// Reads a program.
///
/// # Errors
/// What is wrong with it.
pub fn parse(text: &str) -> Result<Expr, String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut tokens = spaced.split_whitespace().peekable();
    let program = expression(&mut tokens)?;
    match tokens.next() {
        None => Ok(program),
        Some(token) => Err(format!("`{token}` behind the program")),
    }
}

type Tokens<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn expression(tokens: &mut Tokens) -> Result<Expr, String> {
    let token = tokens.next().ok_or("the program ends too soon")?;
    match token.parse() {
        Ok(n) => return Ok(Expr::Int(n)),
        Err(_) if token == ")" => return Err("`)` is not expected".to_string()),
        Err(_) if token != "(" => return Ok(Expr::Name(token.to_string())),
        Err(_) => {}
    }
    let what = tokens.next().ok_or("the program ends too soon")?;
    let expr = match what {
        "do" => Expr::Do(rest(tokens)?),
        "set" => {
            let name = tokens.next().ok_or("the program ends too soon")?;
            Expr::Set(name.to_string(), Box::new(expression(tokens)?))
        }
        "+" | "-" | "<" => {
            let (a, b) = (expression(tokens)?, expression(tokens)?);
            Expr::Binary(char::from(what.as_bytes()[0]), Box::new(a), Box::new(b))
        }
        "if" => {
            let condition = Box::new(expression(tokens)?);
            let yes = Box::new(expression(tokens)?);
            Expr::If(condition, yes, Box::new(expression(tokens)?))
        }
        "while" => {
            let condition = Box::new(expression(tokens)?);
            Expr::While(condition, Box::new(expression(tokens)?))
        }
        "fn" => {
            closing(tokens, "(")?;
            let mut params = Vec::new();
            while let Some(param) = tokens.next_if(|token| *token != ")") {
                params.push(param.to_string());
            }
            closing(tokens, ")")?;
            let body = expression(tokens)?;
            Expr::Fn(Rc::new(Lambda { params, body }))
        }
        "call" => Expr::Call(Box::new(expression(tokens)?), rest(tokens)?),
        _ => return Err(format!("`({what}`?")),
    };
    closing(tokens, ")")?;
    Ok(expr)
}

fn rest(tokens: &mut Tokens) -> Result<Vec<Expr>, String> {
    let mut exprs = Vec::new();
    while tokens.peek().is_some_and(|token| *token != ")") {
        exprs.push(expression(tokens)?);
    }
    Ok(exprs)
}

fn closing(tokens: &mut Tokens, wanted: &str) -> Result<(), String> {
    match tokens.next() {
        Some(token) if token == wanted => Ok(()),
        Some(token) => Err(format!("`{token}`, where `{wanted}` should be")),
        None => Err("the program ends too soon".to_string()),
    }
}

/// Runs a program text with a number.
///
/// # Errors
/// Why the text is no program, or why it does not go on.
pub fn answer(text: &str, n: i64) -> Result<String, String> {
    let variables = HashMap::from([("n".to_string(), Value::Int(n))]);
    let env = Env {
        variables: RefCell::new(variables),
        outer: None,
    };
    match eval(&parse(text)?, &Rc::new(env))? {
        Value::Int(n) => Ok(n.to_string()),
        Value::Closure(..) => Ok("a function".to_string()),
    }
}
