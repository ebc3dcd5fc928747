//! Runs a program on both interpreters and says how long each took. In: a file, a number. Out: the
//! answer of each, and seconds of processor time where the system tells them, else of the clock.
//! Invariant: both answers are printed, so that a difference is seen.

use book_porting_before::Native;
use std::collections::HashMap;
use std::time::Instant;
use verdigris::Options;

fn natives() -> HashMap<String, Native> {
    let native: Native = Box::new(|x| x.wrapping_mul(3));
    HashMap::from([("triple".to_string(), native)])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, file, n] = args.as_slice() else {
        return Err("usage: book-porting-after FILE N".into());
    };
    let (text, n): (String, i64) = (std::fs::read_to_string(file)?, n.parse()?);
    report("before", || {
        book_porting_before::answer(&text, n, natives())
    });
    for jit in ["off", ""] {
        let vm = book_porting_after::machine(Options::parse(jit)?.with_env()?)?;
        let name = if jit == "off" {
            "after, interpreted"
        } else {
            "after"
        };
        report(name, || {
            book_porting_after::answer(&vm, &text, n, natives())
        });
    }
    Ok(())
}

fn report(name: &str, run: impl FnOnce() -> Result<String, String>) {
    let (clock, before) = (Instant::now(), processor());
    let answer = run().unwrap_or_else(|error| format!("error: {error}"));
    let seconds = match (before, processor()) {
        (Some(before), Some(after)) => after - before,
        _ => clock.elapsed().as_secs_f64(),
    };
    println!("{name}: {answer} in {seconds:.3} s");
}

/// How long this thread has been on a processor, as Linux tells it.
fn processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
