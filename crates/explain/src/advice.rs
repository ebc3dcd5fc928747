//! The topics of findings, with advice. Each topic has a section of its own in
//! `docs/book/src/reference/explain.md`, of which the crate has a copy.

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

            /// Its name: that of the section of the book's page that explains it.
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

/// The sections about the topics: a copy of those of the book's page `reference/explain.md`.
const SECTIONS: &str = include_str!("../topics.md");

impl Topic {
    /// What the book says about it, in Markdown: its title on a line, and the text.
    pub fn page(self) -> &'static str {
        let sections = SECTIONS.split("### ").map(str::trim_end);
        let mut sections = sections.filter(|section| anchor_of(section) == self.anchor());
        sections.next().unwrap_or_default()
    }

    /// The topic of this name, in whichever case, with spaces or hyphens.
    pub fn named(name: &str) -> Option<Topic> {
        let anchor = anchor_of(name);
        Topic::ALL
            .iter()
            .copied()
            .find(|topic| topic.anchor() == anchor)
    }
}

/// The anchor of a section, from its title.
fn anchor_of(section: &str) -> String {
    let title = section.lines().next().unwrap_or_default();
    title.trim().to_lowercase().replace(' ', "-")
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
    /// Compiling had cost too much.
    Waiting "compiling-that-waits"
        "let it run longer; else raise `compile_allowance`, or make less code"
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
        "let it run longer; else lower `threshold`"
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

    /// The book's page has the sections, and the crate a copy of them, which `UPDATE_EXPECT=1`
    /// writes.
    #[test]
    fn the_book_has_the_sections() {
        let page = include_str!("../../../docs/book/src/reference/explain.md");
        let (_, from) = page
            .split_once("\n## What the findings mean\n")
            .expect("a part");
        let (part, _) = from.split_once("\n## ").expect("another part");
        expect_test::expect_file!["../topics.md"].assert_eq(&format!("{}\n", part.trim()));
    }

    #[test]
    fn every_topic_has_a_section() {
        let sections = SECTIONS.matches("### ").count();
        assert_eq!(sections, Topic::ALL.len());
        for topic in Topic::ALL {
            let page = topic.page();
            let (title, text) = page.split_once('\n').expect("a title");
            assert_eq!(title.to_lowercase().replace(' ', "-"), topic.anchor());
            assert!(text.len() > 100, "{page}");
            assert_eq!(Topic::named(topic.anchor()), Some(*topic));
        }
        assert_eq!(Topic::named("Stores"), Some(Topic::Store));
        assert_eq!(Topic::named("guards that fail"), Some(Topic::Guard));
        assert_eq!(Topic::named("guard"), None);
    }
}
