//! The events of metamethods.

use crate::meta;

macro_rules! events {
    ($($name:ident = $event:ident $doc:literal;)*) => {
        /// An event that a metamethod of userdata is for.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum MetaMethod {
            $(#[doc = $doc] $name,)*
        }

        impl MetaMethod {
            /// The name of the field in the metatable.
            pub fn name(self) -> &'static str {
                match self {
                    $(MetaMethod::$name => meta::NAMES[meta::$event],)*
                }
            }
        }
    };
}

events! {
    Add = ADD "`a + b`";
    Sub = SUB "`a - b`";
    Mul = MUL "`a * b`";
    Div = DIV "`a / b`";
    Mod = MOD "`a % b`";
    Pow = POW "`a ^ b`";
    Unm = UNM "`-a`";
    IDiv = IDIV "`a // b`";
    BAnd = BAND "`a & b`";
    BOr = BOR "`a | b`";
    BXor = BXOR "`a ~ b`";
    BNot = BNOT "`~a`";
    Shl = SHL "`a << b`";
    Shr = SHR "`a >> b`";
    Concat = CONCAT "`a .. b`";
    Len = LEN "`#a`";
    Eq = EQ "`a == b`, if both are userdata.";
    Lt = LT "`a < b`";
    Le = LE "`a <= b`";
    Index = INDEX "`a[key]`, if there is no field or method of this name.";
    NewIndex = NEWINDEX "`a[key] = value`, if there is no field of this name.";
    Call = CALL "`a(..)`";
    ToString = TOSTRING "`tostring(a)`";
    Pairs = PAIRS "`pairs(a)`";
    Close = CLOSE "The end of a variable that is `<close>`.";
}
