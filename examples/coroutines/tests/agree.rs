//! Coroutines give the same values under every setting. In: programs whose functions resume each
//! other, by hand and at random. Out: what they answer.

use verdigris::Options;
use verdigris_testing::{Run, agreed};

fn guest(texts: &[&str], n: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = coroutines::machine(options).expect("a VM");
        Run::on(&vm, || Ok::<_, String>(coroutines::sum(&vm, texts, n)))
    }
}

#[test]
fn answers() {
    for (texts, n, expected) in [
        // The sum of what a loop yields, which goes on from 100 each time it is resumed.
        (&["b-?", "*-?"][..], 100, "5050"),
        // It yields from within a call, and what it is resumed with comes back.
        (&["b-?", "C-?", "*+"], 60, "1830"),
        // Three that resume each other.
        (&["b-?", "c*-?", "d*+-?", "*-?"], 50, "1275"),
        // One that has ended begins again.
        (&["b+-?", "*+"], 41, "2162"),
        // What is not in a coroutine does not yield; what runs is not resumed.
        (&["*b-?", "b*-?"], 30, "465"),
    ] {
        let outcome = agreed(guest(texts, n));
        assert_eq!(outcome.to_string(), expected, "{texts:?}");
    }
}

#[test]
fn random_programs_agree() {
    let mut random = fastrand::Rng::with_seed(48);
    for _ in 0..12 {
        let count = random.usize(2..5);
        // A function calls those behind it alone, and resumes any.
        let texts: Vec<String> = (0..count)
            .map(|n| {
                let len = random.usize(1..6);
                let mut text = String::new();
                for _ in 0..len {
                    text.push(match random.u8(0..6) {
                        0 if n + 1 < count => char::from(b'A' + random.usize(n + 1..count) as u8),
                        1 | 2 => char::from(b'a' + random.usize(0..count) as u8),
                        3 | 4 => '*',
                        _ => '+',
                    });
                }
                text + "-?"
            })
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        agreed(guest(&texts, 7));
    }
}
