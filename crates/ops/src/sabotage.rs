//! Deliberate mistakes of a compiler stage, to see that the tests notice.
//!
//! Each is a mistake that a developer could make: one line, in one file, with results that every
//! verifier accepts. Without the stage's feature `sabotage` the questions compile to nothing.

/// Makes the type `Sabotage` of a stage out of its ways. The crate that calls it has a feature
/// `sabotage`.
///
/// With the feature, `Sabotage::choose` breaks the stage for the thread that calls it.
#[macro_export]
macro_rules! sabotage_ways {
    ($( $(#[doc = $doc:literal])+ $variant:ident $name:literal )*) => {
        /// A way to break this stage.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum Sabotage {
            $( $(#[doc = $doc])+ $variant, )*
        }

        impl Sabotage {
            /// All ways.
            pub const ALL: &'static [Sabotage] = &[$( Sabotage::$variant ),*];

            /// A name for tables.
            pub fn name(self) -> &'static str {
                match self { $( Sabotage::$variant => $name, )* }
            }

            /// The mistake, in a sentence.
            pub fn description(self) -> &'static str {
                match self { $( Sabotage::$variant => concat!($($doc),+).trim_ascii(), )* }
            }

            /// From now on this stage is broken in this way for this thread, or in none.
            #[cfg(feature = "sabotage")]
            pub fn choose(way: Option<Sabotage>) {
                SABOTAGE.set(way);
            }

            /// Whether this stage is broken in this way for this thread.
            #[cfg(feature = "sabotage")]
            pub fn is_on(self) -> bool {
                SABOTAGE.get() == Some(self)
            }

            /// The same work for another thread, where the stage is broken as it is in this one.
            #[cfg(feature = "sabotage")]
            pub fn carried<R>(work: impl FnOnce() -> R + Send) -> impl FnOnce() -> R + Send {
                let way = SABOTAGE.get();
                move || {
                    SABOTAGE.set(way);
                    work()
                }
            }

            /// The same work for another thread.
            #[cfg(not(feature = "sabotage"))]
            pub fn carried<R>(work: impl FnOnce() -> R + Send) -> impl FnOnce() -> R + Send {
                work
            }

            /// Whether this stage is broken in this way: never.
            #[cfg(not(feature = "sabotage"))]
            #[inline(always)]
            pub const fn is_on(self) -> bool {
                false
            }
        }

        #[cfg(feature = "sabotage")]
        ::std::thread_local! {
            static SABOTAGE: ::std::cell::Cell<::std::option::Option<Sabotage>> =
                const { ::std::cell::Cell::new(None) };
        }

        #[cfg(test)]
        mod tests {
            use super::Sabotage;

            #[test]
            fn nothing_is_broken_unasked() {
                assert!(!Sabotage::ALL.is_empty());
                for way in Sabotage::ALL {
                    assert!(!way.is_on() && !way.description().is_empty(), "{}", way.name());
                }
            }
        }
    };
}
