//! `verdigris specialise`: runs a guest program, and shows the second compiler's code in the order
//! in which it was made, at the chosen stages, under the lines of the interpreter that it comes
//! from.

mod show;

use self::show::Stage;
use crate::observed::{self, log_to};
use crate::out::write;
use crate::source::InterpreterSource;
use std::ffi::OsString;
use std::process::ExitCode;

/// The arguments.
#[derive(clap::Args)]
pub struct SpecialiseArgs {
    #[command(flatten)]
    source: InterpreterSource,
    /// What to show of each piece of code. `jitcode`: the interpreter's instructions that were gone
    /// through; `given`: the operations that they gave; `opt`: what is left of these; `asm`:
    /// machine code.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "given,opt",
        value_name = "STAGES"
    )]
    stage: Vec<Stage>,
    /// More parameters of the JIT than that everything is specialised when it is first passed.
    #[arg(long, value_name = "PARAMETERS", default_value = "")]
    jit: String,
    /// The command of the language, with a program.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Every place of the guest program is compiled when it is first passed, and every value gets its
/// arm at once.
const PARAMETERS: &str =
    "on,compiler=specialising,threshold=1,function_threshold=1,trace_eagerness=1,arm_eagerness=1";

/// Runs the command, and shows what was compiled meanwhile.
///
/// # Errors
/// With a message.
pub fn run(args: &SpecialiseArgs) -> Result<ExitCode, String> {
    let root = args.source.root()?;
    let stages = match args.stage.contains(&Stage::Asm) {
        true => "jitcode,given,opt,asm",
        false => "jitcode,given,opt",
    };
    let observed = observed::run(&args.command, |command, file| {
        command
            .env("VERDIGRIS_JIT", format!("{PARAMETERS},{}", args.jit))
            .env("VERDIGRIS_LOG", log_to(stages, file));
    })?;
    let log = show::SpecialisedLog::new(observed.log()?);
    if log.traces.is_empty() {
        return Err(observed.compiled_nothing("it run a program?"));
    }
    write(&log.show(&root, &args.stage))?;
    Ok(observed.finish())
}
