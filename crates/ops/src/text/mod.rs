//! The parts that the text forms of flow graphs and jitcode share: a lexer, a cursor over its
//! tokens, and the lines of descriptors.
//!
//! [`name`] writes any string so that the lexer reads it back as one [`Token::Word`].

mod descrs;
mod effects;
mod function_names;
mod lexer;
mod token;
mod tokens;
mod write;

pub use function_names::FunctionNames;
pub use token::{TextError, Token, float};
pub use tokens::Tokens;
pub use write::{name, result_types, used_by};

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> Vec<Token> {
        let mut tokens = Tokens::new(text).expect("lexes");
        let mut list = Vec::new();
        while *tokens.peek() != Token::End {
            list.push(tokens.bump());
        }
        list.push(Token::End);
        list
    }

    #[test]
    fn names_are_one_word() {
        for n in [
            "run",
            "interp::step",
            "GcArray<Cell<Obj>, crate::OnStack>",
            "Point.x",
            "GcArray<u8>.len",
            "a b",
            "<T as Trait>::f",
            "we`ird\\",
            "9lives",
            "",
        ] {
            assert_eq!(lex(&name(n))[0], Token::Word(n.to_string()), "{n}");
        }
    }

    #[test]
    fn numbers_and_strings_round_trip() {
        for bits in [
            0,
            1,
            1u64 << 63,
            f64::NAN.to_bits(),
            f64::INFINITY.to_bits(),
            1e300f64.to_bits(),
            1.5e-7f64.to_bits(),
        ] {
            assert_eq!(lex(&float(bits))[0], Token::Float(bits));
        }
        assert_eq!(lex("-9223372036854775808")[0], Token::Int(i64::MIN));
        for s in ["", "a\"b\\c\n\t\u{7f}é{}", "`x`"] {
            assert_eq!(lex(&format!("{s:?}"))[0], Token::Str(s.to_string()));
        }
    }

    #[test]
    fn comments_and_blank_lines_vanish() {
        assert_eq!(
            lex("a // b\n\n@c"),
            [
                Token::Word("a".into()),
                Token::Newline,
                Token::Punct('@'),
                Token::Word("c".into()),
                Token::Newline,
                Token::End
            ]
        );
    }

    #[test]
    fn bad_tokens_name_their_line() {
        let message = |text| Tokens::new(text).expect_err("refused").to_string();
        assert_eq!(
            message("a\n\"b"),
            "line 2: missing \" at the end of the line"
        );
        assert_eq!(
            message("99999999999999999999"),
            "line 1: `99999999999999999999` does not fit in 64 bits"
        );
    }
}
