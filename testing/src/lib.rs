//! Support for the tests of a language. In: a *guest*, a function that runs one guest program on a
//! VM with the options that it is given. Out: whether it does the same under every setting of the
//! JIT ([`agree`]), or under a share of them that changes from one program to the next ([`agreed`],
//! [`fast_settings`]; all with `VERDIGRIS_TESTS=all` in the environment), what was compiled for it
//! ([`compiled`]), and whether a recording makes the same code ([`replayed`]); the programs of a
//! folder, with what they print ([`programs`]); what a command says ([`said`]); a thread with a
//! stack of a size ([`on_stack`]); and whether a program ends well with too little memory
//! ([`agree_at_the_limit`]). Invariant: nothing here knows a language; what a program did is text.
//!
//! ```no_run
//! # fn machine(options: verdigris::Options) -> Result<verdigris::Vm, verdigris::VmError> { unimplemented!() }
//! # fn answer(vm: &verdigris::Vm, text: &str, input: i64) -> Result<String, String> { unimplemented!() }
//! use verdigris::Options;
//! use verdigris_testing::{Run, agreed, compiled, operations};
//!
//! fn guest(text: &str, input: i64) -> impl Fn(Options) -> Run {
//!     move |options| {
//!         let vm = machine(options).expect("a VM");
//!         Run::on(&vm, || answer(&vm, text, input))
//!     }
//! }
//!
//! assert_eq!(agreed(guest("+-?.", 300)).to_string(), "45150");
//! let run = compiled(guest("+-?.", 20_000), "");
//! assert_eq!((run.stats.loops, run.stats.bridges), (1, 0));
//! assert_eq!(operations(run.body()), ["int_add", "int_add", "int_gt", "guard_true", "jump L1"]);
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

/// Under stress, the tests find what the languages keep on Rust's own heap alone.
#[cfg(feature = "detector")]
#[global_allocator]
static DETECTOR: verdigris::Detector = verdigris::Detector;

mod agree;
mod command;
mod compiled;
mod explained;
mod limits;
mod parallel;
mod programs;
mod replayed;
mod run;
mod settings;
mod stacks;
mod turns;

pub use agree::{Difference, agree, agree_under, agreed, agreed_for};
#[cfg(target_os = "linux")]
pub use command::said_to_full;
pub use command::{command, runner, said};
pub use compiled::{compiled, listing, operations};
pub use explained::{explaining, first_screen};
pub use limits::{agree_at_the_limit, next, used_up};
pub use parallel::for_each;
pub use programs::{Program, programs};
pub use replayed::{recorded, replay_of, replayed};
pub use run::{Outcome, Run};
pub use settings::{PASSES, PLAIN, SETTINGS, Setting};
pub use stacks::{STACKS, on_stack, with_stacks};
pub use turns::{
    FAST_SHARES, SHARES, SLOW_SHARES, all_settings, fast_settings, share, slow_settings,
};
