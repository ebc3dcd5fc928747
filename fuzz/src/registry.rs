//! The registry of languages and campaigns. What is named here is fuzzed, tested and replayed.

use crate::campaign::Campaign;
use crate::differ::Differ;
use crate::front;
use crate::language::Language;
use crate::languages::{frames, globals, lua, objmodel, python, stackvm, tla, tlc};
use crate::limits::Limits;
use crate::traces::Traces;

/// All languages.
pub const LANGUAGES: &[&dyn Language] = &[
    &tlc::Tlc,
    &tla::Tla,
    &objmodel::ObjModel,
    &stackvm::StackVm,
    &frames::Frames,
    &globals::Globals,
    &lua::Lua,
    &python::Python,
];

/// All campaigns: one for each language, and those that are not about one language.
pub fn campaigns() -> Vec<Box<dyn Campaign>> {
    let mut all: Vec<Box<dyn Campaign>> = Vec::new();
    for &language in LANGUAGES {
        all.push(Box::new(Differ { language }));
    }
    all.push(Box::new(Limits {
        languages: LANGUAGES,
    }));
    all.push(Box::new(front::Mutations));
    all.push(Box::new(front::Functions));
    all.push(Box::new(Traces));
    all
}

/// The campaign with this name.
///
/// # Errors
/// If there is none; the message names those that there are.
pub fn named(name: &str) -> Result<Box<dyn Campaign>, String> {
    let known: Vec<String> = campaigns().iter().map(|campaign| campaign.name()).collect();
    let found = campaigns()
        .into_iter()
        .find(|campaign| campaign.name() == name);
    found.ok_or_else(|| {
        let known = known.join(", ");
        format!("there is no campaign `{name}`; there are: {known}")
    })
}
