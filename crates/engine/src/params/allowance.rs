//! The time that compiling may take before the guest program has run for any.

/// The usual microseconds: what goes unnoticed.
const USUAL: u32 = 8000;

/// The most microseconds that can be asked for.
const MOST: u32 = 1_000_000_000;

/// Time that compiling may take, beside shares of the time that the guest program has run, before
/// it has to wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allowance {
    /// 8000 microseconds. In builds with debug assertions there is no limit: compiling takes so
    /// long in them that nothing follows from it.
    #[default]
    Usual,
    /// There is no limit, and no code rests because it is left too soon: what is compiled depends
    /// on the guest program alone.
    Off,
    /// This many microseconds.
    Micros(u32),
}

impl Allowance {
    /// The accepted values, for messages.
    pub(crate) const VALUES: &'static str = "usual, off, or 0 to 1000000000";

    /// The allowance with this name, or of this many microseconds.
    ///
    /// # Errors
    /// If it is neither.
    pub(crate) fn parse(text: &str) -> Result<Allowance, String> {
        match text {
            "usual" => Ok(Allowance::Usual),
            "off" => Ok(Allowance::Off),
            text => match text.parse() {
                Ok(micros) if micros <= MOST => Ok(Allowance::Micros(micros)),
                Ok(_) => Err(format!(
                    "more than {MOST}; a program that runs so long has compiled everything"
                )),
                Err(_) => Err("neither a name nor a number of microseconds".to_string()),
            },
        }
    }

    /// As [`Allowance::parse`] takes it.
    pub(crate) fn show(self) -> String {
        match self {
            Allowance::Usual => "usual".to_string(),
            Allowance::Off => "off".to_string(),
            Allowance::Micros(micros) => micros.to_string(),
        }
    }

    /// In seconds; none if there is no limit.
    pub(crate) fn seconds(self) -> Option<f64> {
        let micros = match self {
            Allowance::Usual => (!cfg!(debug_assertions)).then_some(USUAL),
            Allowance::Off => None,
            Allowance::Micros(micros) => Some(micros),
        };
        micros.map(|micros| f64::from(micros) * 1e-6)
    }
}
