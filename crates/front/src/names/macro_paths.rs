//! Whose macro a call means. In: a macro's path, and the module it is written in. Out: whether it
//! is one of the standard library's or of ours, as its name says. Invariant: never so if another
//! macro of that name may be in sight; a name alone says nothing, since an import or a glob of
//! another crate goes before what everybody has. Macros of the crate itself have been expanded
//! before ([`crate::expand`]).

use crate::expand::failed_call;
use crate::items::{Crate, ModId, PlainPath};
use crate::source::known_names::OUR_MACROS;
use crate::source::syntax::plain;

/// Crates whose macros the translator knows by their names.
const KNOWN_CRATES: &[&str] = &["std", "core", "alloc", "verdigris"];

fn is_known(krate: &str) -> bool {
    KNOWN_CRATES.contains(&krate)
}

impl Crate {
    /// Whether a macro is what its name says if it is known.
    pub fn is_known_macro(&self, module: ModId, mac: &syn::Macro) -> bool {
        let path = plain(&mac.path);
        let last = mac.path.segments.last();
        if last.is_none_or(|s| failed_call(&s.ident.to_string()).is_some()) {
            return false;
        }
        match &path.segs[..] {
            // Of two globs that bring a macro of ours rustc takes neither; what everybody has it
            // takes from any.
            [name] => {
                let is_ours = OUR_MACROS.contains(&name.as_str());
                !self.has_macro(name)
                    && (is_ours || !self.brings_macros && !self.may_bring_macros(module))
            }
            _ => self
                .crate_of(module, &path)
                .is_some_and(|krate| is_known(&krate)),
        }
    }

    /// Whether a module imports a macro that is none of those that everybody has. In which module
    /// does not matter. What is a macro of the crate has been expanded.
    fn has_macro(&self, name: &str) -> bool {
        let is_foreign = |module, path: &PlainPath| {
            let krate = self.crate_of(module, path);
            krate.is_some_and(|krate| !is_known(&krate))
        };
        let imports = |module: ModId| self.modules[module].imports.get(name).into_iter().flatten();
        (self.modules.keys()).any(|module| imports(module).any(|path| is_foreign(module, path)))
    }

    /// Whether a glob may bring macros of another crate, whose names are unknown.
    fn may_bring_macros(&self, mut module: ModId) -> bool {
        loop {
            let here = &self.modules[module];
            let crates = here.globs.iter().filter_map(|g| self.crate_of(module, g));
            if crates.into_iter().any(|krate| !is_known(&krate)) {
                return true;
            }
            match here.parent {
                Some(parent) if here.block => module = parent,
                _ => return false,
            }
        }
    }
}
