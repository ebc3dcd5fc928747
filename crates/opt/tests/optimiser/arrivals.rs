//! Random bridges that arrive in random loops: with the words that their jump passed when they were
//! recorded, they do what they do without, wherever they start.

use verdigris_traces::arrivals;

#[test]
fn arrivals() {
    let compared = (0..600)
        .filter(|&seed| arrivals::compare(seed).compared > 0)
        .count();
    assert!(compared > 50, "only {compared} arrivals were compared");
}
