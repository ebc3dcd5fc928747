//! The topics of findings, with advice. Each topic has a section of its own in
//! `docs/book/src/reference/explain.md`.

macro_rules! topics {
    ($( $(#[doc = $doc:literal])* $variant:ident $anchor:literal $advice:literal )*) => {
        /// The subject of a finding.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Topic {
            $( $(#[doc = $doc])* $variant, )*
        }

        impl Topic {
            /// All topics.
            pub const ALL: &'static [Topic] = &[$( Topic::$variant ),*];

            /// The section of `docs/book/src/reference/explain.md` that explains it.
            pub fn anchor(self) -> &'static str {
                match self { $( Topic::$variant => $anchor, )* }
            }

            /// The advice.
            pub fn advice(self) -> &'static str {
                match self { $( Topic::$variant => $advice, )* }
            }
        }
    };
}

topics! {
    /// Objects are made.
    Allocation "allocations"
        "keep it out of what it is stored into or passed to; pass what is in it instead"
    /// Places of the heap are written.
    Store "stores"
        "where a call looks, `#[opaque(reads(..))]`; else nothing, or a type of its own for the place"
    /// Items of arrays are written that cannot be told apart.
    Indexed "items-at-any-index"
        "keep such values at constant indices, or in objects that the loop makes"
    /// A place is written soon since too many wait.
    Evicted "evicted-stores"
        "write fewer places in the loop, or put them into an object that it makes"
    /// Functions are called.
    Call "calls"
        "write what is hot of it in the subset, or mark it `#[elidable]` or `#[readonly]`"
    /// Elidable functions are called.
    Elidable "calls-of-elidable-functions"
        "nothing, if it is worth a call; else write what is hot of it in the subset"
    /// Guest functions are called and not inlined.
    GuestCall "guest-calls"
        "nothing, if the callee loops or recurses; else see what was given up"
    /// Native code enters compiled code.
    Native "native-code-that-calls-the-guest"
        "write the native function in the subset, so that traces go through it"
    /// A virtualizable frame is looked at.
    Looked "virtualizable-frames-that-are-looked-at"
        "pass the values that the function needs, and not the frame"
    /// A label gave up state.
    Label "labels-that-give-up-state"
        "let it have the same class, length and type at the end of each turn as at its start"
    /// A guard fails often.
    Guard "guards-that-fail"
        "see what differs there from turn to turn, at the interpreter's line"
    /// Guards failed until they got bridges.
    Bridges "bridges"
        "nothing, if it stops; fewer kinds of values in one loop need fewer bridges"
    /// Values are promoted that come in numbers.
    Promotion "promotions"
        "promote something that has fewer values, or nothing"
    /// Code was made.
    WarmUp "warm-up"
        "let it run longer; else lower `trace_limit`, or raise `trace_eagerness`"
    /// A trace was given up.
    Abort "traces-that-are-given-up"
        "do what the reason says, where most of the trace came from"
    /// There is much code.
    Code "much-code"
        "lower `trace_limit`, so that calls are compiled once and not in each trace"
    /// The collector works.
    Collecting "collections"
        "make fewer objects in these lines, or keep fewer alive"
    /// The interpreter works.
    Interpreter "the-interpreter"
        "see what was given up; otherwise lower `threshold`, or let it run longer"
    /// Code was left for good.
    Tier "changes-of-tier"
        "see which guard leaves the code so soon, or what has so many ways"
    /// Code was invalidated.
    Invalidation "invalidations"
        "write the `Quasi` field less often, or make it a `Cell`"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page explains all topics, and an advice fits a line of text with its link.
    #[test]
    fn the_documentation_explains_them() {
        let page = include_str!("../../../docs/book/src/reference/explain.md");
        let headings = page.lines().filter_map(|line| line.strip_prefix("### "));
        let anchors: Vec<String> = headings
            .map(|heading| heading.to_lowercase().replace(' ', "-"))
            .collect();
        for topic in Topic::ALL {
            let anchor = topic.anchor();
            assert!(anchors.iter().any(|a| a == anchor), "{anchor} is explained");
            let line = format!("    -> {} (reference/explain.md#{anchor})", topic.advice());
            assert!(line.chars().count() <= crate::render::WIDTH, "{line}");
        }
    }
}
