//! The command line options of every language, the reports that they ask for, and the exit status:
//! 0; 1 if the program or a file is faulty; 2 (clap's) if the command line is.

use crate::interrupts::Interrupts;
use clap::Args;
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;
use verdigris::explain::{Report, ReportForm};
use verdigris::profile::{Output, Profile};
use verdigris::{Options, Profiling, Stats, StatsForm, Vm};

/// The options of a command that runs a program.
#[derive(Args)]
pub struct JitArgs {
    /// Parameters of the JIT, as `off` or `threshold=7,trace_eagerness=3,backend=oracle`.
    #[arg(long, value_name = "KEY=VALUE,...", default_value = "", value_parser = Options::parse)]
    jit: Options,
    /// Prints statistics on standard error: a table, or one JSON object with `--stats=json`.
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "table", value_parser = StatsForm::parse)]
    stats: Option<StatsForm>,
    /// Says on standard error why the program is slow: as text (`--explain=all`: all of it), or as
    /// json, sarif, or notes (`file:line: note: ..`).
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "text", value_parser = ReportForm::parse)]
    explain: Option<ReportForm>,
    /// Writes where the time goes to a file for the Firefox Profiler (speedscope if it is named
    /// `*.speedscope.json`, folded stacks if `*.folded`), and to standard error as a table; with
    /// `-`, the table alone.
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// The time between two samples of the profile, in microseconds.
    #[arg(long, value_name = "MICROSECONDS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(50..))]
    profile_interval: u64,
}

/// The reports to be written after the run, and whenever they are asked for.
#[derive(Clone)]
pub struct Reports(Rc<Asked>);

/// What was asked for on the command line, and by the environment.
struct Asked {
    stats: Option<StatsForm>,
    explain: Option<ReportForm>,
    profile: Option<Output>,
    /// Whether the VM writes a report to a file.
    has_file: bool,
}

impl JitArgs {
    /// The options of the VM, and the reports to write after the run.
    ///
    /// # Errors
    /// If the profile's file cannot be created, or `VERDIGRIS_JIT` has no parameters of the JIT.
    pub fn begin(self) -> Result<(Options, Reports), String> {
        let profile = self.profile.as_deref().map(Output::open).transpose()?;
        let profiling = Profiling::every(Duration::from_micros(self.profile_interval));
        let options = self
            .jit
            .keep_places(self.stats.is_some())
            .explain(self.explain.is_some())
            .profile(profile.is_some().then_some(profiling))
            .with_env()
            .map_err(|error| error.to_string())?;
        let asked = Asked {
            stats: self.stats,
            explain: self.explain,
            profile,
            has_file: options.explain_file.is_some(),
        };
        Ok((options, Reports(Rc::new(asked))))
    }
}

impl Reports {
    /// Whether there are any.
    pub fn are_asked(&self) -> bool {
        let Asked {
            stats,
            explain,
            profile,
            has_file,
        } = &*self.0;
        stats.is_some() || explain.is_some() || profile.is_some() || *has_file
    }

    /// If there are any, the program is interrupted at the first Ctrl-C, so that they can be
    /// written then, and they are written at SIGUSR1, behind which the program goes on.
    ///
    /// # Errors
    /// If the system refuses to tell of signals.
    pub fn watch(&self, vm: &Vm) -> Result<(), String> {
        if !self.are_asked() {
            return Ok(());
        }
        self.answer(vm);
        let listening = Interrupts::listen(vm.interrupt_handle(), true);
        listening.map_err(|error| format!("cannot listen for signals: {error}"))?;
        Ok(())
    }

    /// Questions to the VM ([`verdigris::InterruptHandle::ask`]) are answered with the reports.
    pub fn answer(&self, vm: &Vm) {
        let asked = Rc::clone(&self.0);
        vm.on_question(Some(Rc::new(move |run| {
            let (stats, explained) = (&|| run.stats(), &|| run.explain());
            // There is no caller to be told; the last time says it.
            let _ = asked.write(stats, explained, &|| run.profile());
        })));
    }

    /// Writes the reports.
    ///
    /// # Errors
    /// If the profile cannot be written.
    pub fn write(&self, vm: &Vm) -> Result<(), String> {
        let (stats, explained) = (&|| vm.stats(), &|| vm.explain());
        self.0.write(stats, explained, &|| vm.profile())
    }
}

impl Asked {
    fn write(
        &self,
        stats: &dyn Fn() -> Stats,
        explained: &dyn Fn() -> Option<Report>,
        profile: &dyn Fn() -> Option<Profile>,
    ) -> Result<(), String> {
        if let Some(form) = self.stats {
            eprintln!("{}", stats().show(form));
        }
        if let Some(form) = self.explain
            && let Some(report) = explained()
        {
            eprintln!("{}", report.show(form));
        }
        match &self.profile {
            Some(output) => output.write(profile().as_ref()),
            None => Ok(()),
        }
    }
}

/// Suppresses the panic message of a VM that has used up heap or stack: it is caught, and reported
/// as an error.
pub fn silence_stops() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        if payload.is::<&str>() || payload.is::<String>() {
            default(info);
        }
    }));
}

/// The bytes of a file and its name as messages show it.
///
/// # Errors
/// If it cannot be read.
pub fn read(file: &Path) -> Result<(Vec<u8>, String), String> {
    let name = file.display().to_string();
    match fs::read(file) {
        Ok(bytes) => Ok((bytes, name)),
        Err(error) => Err(format!("{name}: {error}")),
    }
}

/// Prints a text on standard output.
///
/// # Errors
/// If it cannot be written.
pub fn print(text: &str) -> Result<(), String> {
    let mut out = io::stdout();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| format!("cannot write the output: {error}"))
}

/// Reports an error, and gives the exit status.
pub fn exit(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The command of an example, `NAME PROGRAM NUMBER [JIT-PARAMETERS]`: prints the result of `run`.
/// `program` is what the program is called in the usage.
pub fn example(
    name: &str,
    program: &str,
    run: impl FnOnce(&str, i64, Options) -> Result<String, Box<dyn Error>>,
) -> ExitCode {
    let answer = arguments().and_then(|args| match args.as_slice() {
        [text, number, params @ ..] if params.len() < 2 => match number.parse() {
            Ok(number) => {
                let options = Options::parse(params.first().map_or("", |p| p))?;
                run(text, number, options.with_env()?)
            }
            Err(error) => Err(format!("`{number}`: {error}").into()),
        },
        _ => Err(format!("usage: {name} {program} NUMBER [PARAMETER=VALUE,..]").into()),
    });
    let answer = answer.map_err(|error| error.to_string());
    let printed = answer.and_then(|answer| print(&format!("{answer}\n")));
    exit(printed.map_err(|error| format!("{name}: {error}")))
}

fn arguments() -> Result<Vec<String>, Box<dyn Error>> {
    let utf8 = |arg: OsString| {
        let text = arg.into_string();
        text.map_err(|arg| format!("the argument {arg:?} is not UTF-8").into())
    };
    std::env::args_os().skip(1).map(utf8).collect()
}
