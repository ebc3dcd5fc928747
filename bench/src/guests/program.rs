//! A guest program: runs in a fresh VM as often as asked, and gives the VM's statistics.

use verdigris::Stats;

/// A program that can be run.
pub struct Program {
    /// Language and name, as `tlc/factorial`.
    pub name: String,
    /// Arguments that make its loops hot.
    pub args: Vec<i64>,
    /// Whether its language reads the program anew for each run, so that each run is its first.
    pub reads_anew: bool,
    /// Uses it in a fresh VM.
    pub session: Session,
}

/// Runs a program once. Answers what it printed and its result; nothing for examples whose results
/// are not texts.
pub type Once<'a> = &'a mut dyn FnMut() -> Result<String, String>;

/// The user of a session: it is called once, and may run the program any number of times.
pub type Use<'a> = &'a mut (dyn FnMut(Once<'_>) + Send);

/// A fresh VM with these parameters of the JIT and a program with these arguments, and what the VM
/// did.
pub type Session = Box<dyn Fn(&str, &[i64], Use<'_>) -> Result<Stats, String>>;

impl Program {
    /// The VM's statistics of one run of the program. Errors of the program are part of it:
    /// compiled code counts no less for them.
    ///
    /// # Errors
    /// If there is no VM.
    pub fn stats(&self, params: &str) -> Result<Stats, String> {
        let mut once = |run: Once<'_>| {
            let _ = run();
        };
        (self.session)(params, &self.args, &mut once)
    }
}

/// Parameters of the JIT.
///
/// # Errors
/// If there are no such parameters.
pub fn options(params: &str) -> Result<verdigris::Options, String> {
    verdigris::Options::parse(params).map_err(|error| error.to_string())
}

/// The integers of the line that begins with `mark`, if there is one and it has nothing else.
pub fn arguments(text: &str, mark: &str) -> Option<Vec<i64>> {
    let line = text.lines().find_map(|line| line.strip_prefix(mark))?;
    line.split_whitespace()
        .map(|word| word.parse().ok())
        .collect()
}
