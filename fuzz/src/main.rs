//! The command `fuzz`. In: a command line: which campaigns, for how long, with which seed. Out:
//! what was executed, on standard output; failures, on standard error and in `fuzz/failures`;
//! status 1 if there are any, or if a campaign compiled nothing, 2 if the command line is wrong.
//! Invariant: all work is the library's, in a process of its own whose death is a failure like
//! others.

#![forbid(unsafe_code)]

use clap::{Args, Parser, Subcommand};
use fuzz::campaign::{self, Campaign, Effort, Report};
use fuzz::configuration::Configuration;
use fuzz::kept::{self, Case};
use fuzz::language;
use fuzz::registry;
use fuzz::supervise::{End, Supervisor};
use fuzz::tally::Tally;
use fuzz::tape;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Runs made-up programs with and without the JIT, and compares what they do.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: What,
    /// Fuzzes in this process instead of in one of its own.
    #[arg(long, global = true, hide = true)]
    inside: bool,
}

#[derive(Subcommand)]
enum What {
    /// Programs of one language, or of all of them.
    Lang {
        /// The language, or `all`.
        name: String,
        #[command(flatten)]
        amount: Amount,
    },
    /// The translator: broken sources, and functions that rustc compiles too.
    Front {
        #[command(flatten)]
        amount: Amount,
    },
    /// Programs that keep objects, on heaps from 64 kB to 64 MB.
    Limits {
        #[command(flatten)]
        amount: Amount,
    },
    /// Random traces: the optimiser against a model machine, machine code against the oracle.
    Traces {
        #[command(flatten)]
        amount: Amount,
    },
    /// Breaks the optimiser in each of the ways that it knows, and says what notices: traces, and a
    /// language's programs. Needs `--features sabotage`.
    Sabotage {
        /// For how long each campaign tries.
        #[arg(long, default_value_t = 20)]
        seconds: u64,
        /// Which cases.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Only this way.
        #[arg(long)]
        way: Option<String>,
    },
    /// Everything; the time is divided.
    All {
        #[command(flatten)]
        amount: Amount,
    },
    /// Prints a case, and what is right for it.
    Show {
        /// The campaign, as `lang tlc`.
        campaign: String,
        /// The seed of the campaign.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The number of the case.
        #[arg(long, default_value_t = 0)]
        number: u64,
    },
    /// Tries a case that was written down.
    Replay {
        /// Its file.
        file: PathBuf,
        /// Breaks the optimiser in this way: the case should fail then. Needs
        /// `--features sabotage`.
        #[arg(long, value_name = "WAY")]
        broken: Option<String>,
    },
}

#[derive(Args)]
struct Amount {
    /// For how long.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Which cases.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many cases of each campaign at most: with the same seed, the same ones.
    #[arg(long, value_name = "N")]
    programs: Option<u64>,
    /// How long a case may take, in seconds; one that takes longer hangs.
    #[arg(long, value_name = "SECONDS", default_value_t = campaign::PATIENCE.as_secs())]
    patience: u64,
    /// For how long a failure is made smaller, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = campaign::SHRINKING.as_secs())]
    shrinking: u64,
    /// The folder in which failures are left.
    #[arg(long, value_name = "FOLDER", default_value_os_t = kept::failures())]
    failures: PathBuf,
    /// Parameters of the JIT that programs are run with, whatever else is drawn:
    /// `compiler=specialising`.
    #[arg(long, value_name = "PARAMETERS", default_value = "")]
    jit: String,
    /// Breaks the optimiser in this way: the campaigns should fail then. Needs
    /// `--features sabotage`.
    #[arg(long, value_name = "WAY")]
    broken: Option<String>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match (cli.command, cli.inside) {
        (What::Replay { file, broken }, _) => replay(&file, broken.as_deref()),
        (
            What::Show {
                campaign,
                seed,
                number,
            },
            _,
        ) => show(&campaign, seed, number),
        (What::Lang { name, amount }, true) => {
            languages(&name).and_then(|campaigns| fuzz(campaigns, &amount))
        }
        (What::Front { amount }, true) => fuzz(begin_with("front "), &amount),
        (What::All { amount }, true) => fuzz(registry::campaigns(), &amount),
        (What::Traces { amount }, true) => fuzz(begin_with("traces"), &amount),
        (What::Limits { amount }, true) => fuzz(begin_with("limits"), &amount),
        (What::Sabotage { seconds, seed, way }, _) => {
            sabotage(Duration::from_secs(seconds), seed, way.as_deref())
        }
        (What::Lang { name, amount }, false) => languages(&name).and_then(|_| watch(&amount)),
        (
            What::All { amount }
            | What::Front { amount }
            | What::Limits { amount }
            | What::Traces { amount },
            false,
        ) => watch(&amount),
    };
    result.unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::from(2)
    })
}

/// The campaigns for a language, or for all.
fn languages(name: &str) -> Result<Vec<Box<dyn Campaign>>, String> {
    match name {
        "all" => Ok(begin_with("lang ")),
        name => registry::named(&format!("lang {name}")).map(|campaign| vec![campaign]),
    }
}

/// The campaigns whose names begin with this.
fn begin_with(prefix: &str) -> Vec<Box<dyn Campaign>> {
    let all = registry::campaigns().into_iter();
    all.filter(|campaign| campaign.name().starts_with(prefix))
        .collect()
}

/// Does what the command line says in a process of its own.
fn watch(amount: &Amount) -> Result<ExitCode, String> {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .chain(["--inside".to_string()])
        .collect();
    let supervisor = Supervisor {
        program: std::env::current_exe().map_err(|error| error.to_string())?,
        folder: amount.failures.clone(),
        shrinking: Duration::from_secs(amount.shrinking),
        replays_with: (amount.broken.iter())
            .flat_map(|way| ["--broken".to_string(), way.clone()])
            .collect(),
    };
    match supervisor.run(&args)? {
        End::Said(code) => Ok(ExitCode::from(code)),
        End::Killed(files) => {
            eprintln!("the process was killed; what ran then:");
            for file in files {
                eprintln!("\n{}", file.display());
                eprintln!("{}", std::fs::read_to_string(&file).unwrap_or_default());
            }
            Ok(ExitCode::FAILURE)
        }
    }
}

fn fuzz(campaigns: Vec<Box<dyn Campaign>>, amount: &Amount) -> Result<ExitCode, String> {
    let campaigns: Result<Vec<_>, _> = (campaigns.into_iter())
        .map(|campaign| broken(campaign, amount.broken.as_deref()))
        .collect();
    let campaigns = campaigns?;
    let share = Duration::from_secs(amount.seconds) / campaigns.len() as u32;
    let mut all = Tally::default();
    let mut clean = true;
    for campaign in &campaigns {
        let mut effort = Effort::new(amount.seed, share, amount.failures.clone());
        effort.cases = amount.programs.unwrap_or(u64::MAX);
        effort.patience = Duration::from_secs(amount.patience);
        effort.shrinking = Duration::from_secs(amount.shrinking).into();
        effort.always = Configuration::parse("", &amount.jit).parameters;
        let report = campaign::run(&**campaign, &effort, |case| hangs(case, &amount.failures));
        let seconds = report.time.as_secs_f64();
        println!("{}: {seconds:.1} s, {}", report.name, report.tally);
        clean &= report.is_clean();
        tell(&report, amount);
        all.absorb(report.tally);
    }
    if campaigns.len() > 1 {
        println!("all: {all}");
    }
    Ok(if clean {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Says what is wrong with a report.
fn tell(report: &Report, amount: &Amount) {
    if let Some(failure) = &report.failure {
        let name = format!("{}-{}", report.name.replace(' ', "-"), amount.seed);
        eprintln!("{} fails:\n{}", report.name, failure.story);
        match failure.case.write(&amount.failures, &name) {
            Ok(file) => eprintln!("written to {}; `fuzz replay` tries it", file.display()),
            Err(error) => eprintln!("{error}"),
        }
    } else if let Some(lack) = &report.lack {
        eprintln!("{} says nothing: {lack}", report.name);
    }
}

/// A case does not end, and nothing but the end of the process ends it.
fn hangs(case: Case, folder: &Path) {
    eprintln!("{} hangs:\n{}", case.campaign, case.print());
    match case.write(folder, &format!("hangs-{}", std::process::id())) {
        Ok(file) => eprintln!("written to {}", file.display()),
        Err(error) => eprintln!("{error}"),
    }
    std::process::exit(1);
}

fn show(name: &str, seed: u64, number: u64) -> Result<ExitCode, String> {
    let campaign = registry::named(name)?;
    let tape = tape::bytes(name, seed, number);
    print!("{}", language::on_stack(|| campaign.show(&tape)));
    Ok(ExitCode::SUCCESS)
}

fn replay(file: &Path, way: Option<&str>) -> Result<ExitCode, String> {
    let case = Case::read(file)?;
    let campaign = broken(registry::named(&case.campaign)?, way)?;
    match language::on_stack(|| campaign.replay(&case))? {
        Some(failure) => {
            eprintln!("{}", failure.story);
            Ok(ExitCode::FAILURE)
        }
        None => {
            println!("it does what is right");
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The campaign, with a broken optimiser if a way is named.
fn broken(campaign: Box<dyn Campaign>, way: Option<&str>) -> Result<Box<dyn Campaign>, String> {
    match way {
        #[cfg(feature = "sabotage")]
        Some(way) => fuzz::sabotage::broken(campaign, way),
        #[cfg(not(feature = "sabotage"))]
        Some(_) => Err(UNBREAKABLE.to_string()),
        None => Ok(campaign),
    }
}

#[cfg(not(feature = "sabotage"))]
const UNBREAKABLE: &str =
    "this build cannot break the optimiser: run it with `--features sabotage`";

#[cfg(feature = "sabotage")]
fn sabotage(patience: Duration, seed: u64, only: Option<&str>) -> Result<ExitCode, String> {
    use fuzz::sabotage::{notice, notice_by_programs, ways};
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut all = true;
    for way in ways(only)? {
        let effort = Effort::new(seed, patience, kept::failures());
        match way.campaigns() {
            [] => println!("{:14} {}", way.name(), way.description()),
            _ => {
                let noticed = notice(way, &effort)?;
                println!("{noticed}");
                all &= noticed.by.is_some();
            }
        }
        let programs = notice_by_programs(&program, way, seed, u64::MAX, patience)?;
        println!("{programs}");
        all &= programs.by.is_some();
    }
    Ok(if all {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

#[cfg(not(feature = "sabotage"))]
fn sabotage(_: Duration, _: u64, _: Option<&str>) -> Result<ExitCode, String> {
    Err(UNBREAKABLE.to_string())
}
