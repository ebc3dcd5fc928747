//! The cases that failed once. In: `fuzz/cases`. Out: each of them does what is right, under the configuration with which it failed
//! and under all settings that tests use. Invariant: a failure that has been repaired stays here as text.

use fuzz::campaign;
use fuzz::configuration::Configuration;
use fuzz::kept;
use verdigris_testing::SETTINGS;

#[test]
fn what_failed_once_does_what_is_right() {
    let cases = kept::cases().expect("they can be read");
    for (file, case) in cases {
        let file = file.display();
        let campaign = campaign::named(&case.campaign).expect("there is such a campaign");
        let check = |case: &kept::Case| match campaign.replay(case) {
            Ok(None) => {}
            Ok(Some(failure)) => panic!("{file} fails again: {}", failure.story),
            Err(error) => panic!("{file}: {error}"),
        };
        check(&case);
        let Some(variant) = case
            .field("jit")
            .map(|_| case.field("variant").unwrap_or(""))
        else {
            continue;
        };
        for setting in SETTINGS {
            let mut other = case.clone();
            let jit = Configuration::parse(variant, setting.jit).jit();
            for (key, value) in &mut other.fields {
                if key == "jit" {
                    value.clone_from(&jit);
                }
            }
            check(&other);
        }
    }
}
