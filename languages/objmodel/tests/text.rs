//! Text that is hardly ever a program. In: random words. Out: a program or messages. Invariant:
//! nothing crashes. (Random programs are in the crate `fuzz`.)

use objmodel::machine::load;
use proptest::prelude::*;

proptest! {
    #[test]
    fn random_text_never_crashes(words in prop::collection::vec(word(), 0..40)) {
        let text = words.join(" ");
        if let Ok(image) = load(text.as_bytes(), "text") {
            objmodel::disasm::disassemble(&image);
        }
    }
}

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "and",
        "args",
        "break",
        "class",
        "continue",
        "def",
        "else",
        "if",
        "new",
        "nil",
        "not",
        "or",
        "print",
        "return",
        "self",
        "while",
        "==",
        "<",
        "=",
        "=",
        "+",
        "-",
        "(",
        "(",
        ")",
        ")",
        "{",
        "{",
        "}",
        "}",
        ",",
        ";",
        ";",
        ";",
        ".",
        ".",
        "x",
        "x",
        "y",
        "C",
        "f",
        "1",
        "9223372036854775808",
        "\"t\"",
        "# c\n",
        "\"",
        "?",
        "1x",
        "ä",
    ])
}
