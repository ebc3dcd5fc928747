//! The command `random-functions`. In: functions that were made up when it was built, parameters of
//! the JIT. Out: what was executed, and each difference, with the text of its function; status 1 if
//! there are any, 2 if the command line is wrong.

#![forbid(unsafe_code)]

use clap::Parser;
use random_functions::agree::{Expected, MODES, Report, run};
use random_functions::{COUNT, text};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Runs random functions with and without the JIT, and compares what they give.
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// Parameters of the JIT; can be given more than once.
    #[arg(long)]
    jit: Vec<String>,
    /// This function alone.
    #[arg(long)]
    only: Option<usize>,
    /// Pairs without a pattern.
    #[arg(long, default_value_t = 60)]
    random: usize,
    /// Says on standard error what begins, so that a crash can be told from another.
    #[arg(long)]
    progress: bool,
    /// Leaves the text of functions out.
    #[arg(long)]
    brief: bool,
    /// Seconds after which a function hangs.
    #[arg(long, default_value_t = 60)]
    patience: u64,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    std::panic::set_hook(Box::new(|_| {}));
    match compare(&cli) {
        Ok(report) => tell(&report, cli.brief),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn compare(cli: &Cli) -> Result<Report, String> {
    let cases = match cli.only {
        Some(case) if case >= COUNT => return Err(format!("there are {COUNT} functions")),
        Some(case) => case..case + 1,
        None => 0..COUNT,
    };
    let modes: Vec<&str> = match cli.jit.is_empty() {
        true => MODES.to_vec(),
        false => cli.jit.iter().map(String::as_str).collect(),
    };
    let mut report = Report::default();
    let now = Arc::new(Mutex::new(Now::default()));
    watch(now.clone(), Duration::from_secs(cli.patience));
    let begins = |case: usize, how: String| {
        if cli.progress {
            eprintln!("running f{case} {how}");
        }
        let mut now = now.lock().unwrap_or_else(PoisonError::into_inner);
        let number = now.number + 1;
        *now = Now { number, case, how };
    };
    for case in cases {
        begins(case, NATIVE.to_string());
        let expected = Expected::of(case, cli.random)?;
        for jit in &modes {
            begins(case, format!("under `{jit}`"));
            run(&expected, jit, &mut report)?;
        }
    }
    Ok(report)
}

/// How a function runs that the JIT does not compile. One that does not end then is a bug of the
/// generator.
const NATIVE: &str = "as rustc compiled it";

/// The case that is running.
#[derive(Clone, Default, PartialEq)]
struct Now {
    /// How many have run before.
    number: usize,
    /// The function.
    case: usize,
    /// How it runs.
    how: String,
}

/// Ends the process with a difference if the same thing runs for too long.
fn watch(running: Arc<Mutex<Now>>, patience: Duration) {
    let now = move || {
        running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    };
    std::thread::spawn(move || {
        let mut before = Now::default();
        loop {
            std::thread::sleep(patience);
            let now = now();
            if now == before {
                println!("difference in f{}: it does not end {}", now.case, now.how);
                std::process::exit(1);
            }
            before = now;
        }
    });
}

fn tell(report: &Report, brief: bool) -> ExitCode {
    println!("{COUNT} functions, {report}");
    let mut told = Vec::new();
    for difference in &report.differences {
        if told.contains(&difference.case) {
            continue;
        }
        told.push(difference.case);
        println!("{difference}");
        if !brief {
            println!("{}", text(difference.case));
        }
    }
    match told.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
