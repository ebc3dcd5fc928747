//! The public API of the crate `verdigris` against `crates/verdigris/api.txt`.

use structure::api::public_api;
use structure::repository::root;

#[test]
fn the_public_api_is_as_blessed() {
    let file = root().join("crates/verdigris/api.txt");
    let now = public_api();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &now).expect("it can be written");
    }
    let blessed = std::fs::read_to_string(&file).unwrap_or_default();
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    let (blessed, now) = (lines(&blessed), lines(&now));
    let gone: Vec<_> = blessed.iter().filter(|line| !now.contains(line)).collect();
    let new: Vec<_> = now.iter().filter(|line| !blessed.contains(line)).collect();
    assert!(
        blessed == now,
        "the public API has changed.\nGone: {gone:#?}\nNew: {new:#?}\n\
         What is gone or has another signature breaks programs of users: it needs a new version (0.x: the minor one) and a line in the release's notes. \
         So does a new field of a struct, or a new variant of an enum, without `#[non_exhaustive]`, and a new function of a trait without a body. \
         If that is meant, UPDATE_EXPECT=1 writes the file."
    );
}
