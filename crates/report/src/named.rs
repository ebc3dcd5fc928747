//! Enums whose variants have a name in texts and in JSON.

/// Declares an enum with a name for each variant: `ALL`, `name()`, `Display`, and serde under the
/// same names.
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $name:ident {
            $( $(#[$attr:meta])* $variant:ident = $text:literal, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize,
        )]
        pub enum $name {
            $( $(#[$attr])* #[serde(rename = $text)] $variant, )*
        }

        impl $name {
            /// All variants, in their order.
            pub const ALL: [$name; [$( $text ),*].len()] = [$( $name::$variant ),*];

            /// The name in texts and in JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $( $name::$variant => $text, )*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub(crate) use named_enum;
