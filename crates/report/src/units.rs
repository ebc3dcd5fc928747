//! Numbers with units, for people.

/// Seconds with about three digits.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 10.0 => format!("{s:.1} s"),
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 10e-3 => format!("{:.1} ms", s * 1e3),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.0} us", s * 1e6),
    }
}

/// A number of things: `1 entry`, `2 entries`, `3 guards`, `4 passes`.
pub fn count(n: u64, what: &str) -> String {
    match (n, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{n} {stem}ies"),
        _ if what.ends_with('s') => format!("{n} {what}es"),
        _ => format!("{n} {what}s"),
    }
}

/// Bytes in the unit that suits them.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        n if n >= 10 << 30 => format!("{} GB", n >> 30),
        n if n >= 10 << 20 => format!("{} MB", n >> 20),
        n if n >= 10 << 10 => format!("{} kB", n >> 10),
        n => format!("{n} B"),
    }
}
