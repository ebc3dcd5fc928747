//! What the command does, in order. In: a plan, a session. Out: whether all of it went well.
//! Invariant: the order is that of `lua5.4`: the environment's text, options, script, dialogue;
//! what fails is reported, and ends it.

use super::dialogue;
use language_support::interrupts::Interrupts;
use std::io::{self, IsTerminal, Read};
use verdigris_lua::native::modules::unreadable;
use verdigris_lua::output;
use verdigris_lua::session::{Results, Session, Setup};

/// What an option asks for.
pub enum Step {
    /// Runs a text.
    Text(String),
    /// Loads a module, `name` or `global=name`.
    Module(String),
    /// Shows the program's warnings from now on.
    Warnings,
}

/// Where the program is.
pub enum Script {
    /// In a file.
    File(String),
    /// In standard input.
    Stdin,
}

/// What the command line asks for.
#[derive(Default)]
pub struct Plan {
    /// The options that do something, in their order.
    pub steps: Vec<Step>,
    /// The program.
    pub script: Option<Script>,
    /// The entries of the table `arg`.
    pub arg: Vec<(i64, String)>,
    /// Whether a dialogue follows.
    pub is_interactive: bool,
    /// Whether the version is shown first.
    pub shows_version: bool,
    /// Whether the variables of the environment count for nothing.
    pub ignores_environment: bool,
}

impl Plan {
    /// What the world begins with.
    pub fn setup(&self) -> Setup {
        let script = match &self.script {
            Some(Script::File(file)) => file.clone(),
            Some(Script::Stdin) | None => String::new(),
        };
        Setup {
            script,
            arg: self.arg.clone(),
            ignores_environment: self.ignores_environment,
        }
    }

    /// The arguments of the script.
    fn arguments(&self) -> Vec<String> {
        let behind = self.arg.iter().filter(|(at, _)| *at > 0);
        behind.map(|(_, arg)| arg.clone()).collect()
    }
}

/// Shows the version.
fn show_version() {
    let version = env!("CARGO_PKG_VERSION");
    let line = format!("Lua 5.4 on Verdigris {version}\n");
    output::write(line.as_bytes()).ok();
    output::flush();
}

/// Runs a plan.
///
/// # Errors
/// The message of what has failed.
pub fn run(session: &Session, plan: &Plan, interrupts: &Interrupts) -> Result<(), String> {
    let is_terminal = io::stdin().is_terminal();
    let has_work = !plan.steps.is_empty() || plan.script.is_some() || plan.shows_version;
    let talks = plan.is_interactive || !has_work && is_terminal;
    if plan.shows_version || talks {
        show_version();
    }
    let runner = Runner {
        session,
        interrupts,
    };
    if !plan.ignores_environment {
        runner.init()?;
    }
    for step in &plan.steps {
        match step {
            Step::Text(text) => runner.text(text.as_bytes(), "=(command line)", &[])?,
            Step::Module(module) => {
                let (global, name) = module.split_once('=').unwrap_or((module, module));
                interrupts.arm();
                session.require(global, name)?;
            }
            Step::Warnings => session.show_warnings(),
        }
    }
    match &plan.script {
        Some(Script::File(file)) => runner.file(file, &plan.arguments())?,
        Some(Script::Stdin) => runner.stdin(&plan.arguments())?,
        None => {}
    }
    if talks {
        dialogue::run(session, interrupts);
    } else if !has_work {
        runner.stdin(&[])?;
    }
    Ok(())
}

struct Runner<'a> {
    session: &'a Session,
    interrupts: &'a Interrupts,
}

impl Runner<'_> {
    fn text(&self, text: &[u8], name: &str, args: &[String]) -> Result<(), String> {
        self.interrupts.arm();
        let chunk = self.session.load(text, name)?;
        self.session.run(&chunk, args).map(|_: Results| ())
    }

    fn file(&self, file: &str, args: &[String]) -> Result<(), String> {
        let text = std::fs::read(file).map_err(|error| unreadable(file, &error))?;
        self.text(&text, &format!("@{file}"), args)
    }

    fn stdin(&self, args: &[String]) -> Result<(), String> {
        let mut text = Vec::new();
        let read = io::stdin().read_to_end(&mut text);
        read.map_err(|error| unreadable("stdin", &error))?;
        self.text(&text, "=stdin", args)
    }

    /// Runs what the environment asks for.
    fn init(&self) -> Result<(), String> {
        for name in ["LUA_INIT_5_4", "LUA_INIT"] {
            let Some(init) = std::env::var_os(name) else {
                continue;
            };
            let init = init.to_string_lossy();
            return match init.strip_prefix('@') {
                Some(file) => self.file(file, &[]),
                None => self.text(init.as_bytes(), &format!("={name}"), &[]),
            };
        }
        Ok(())
    }
}
