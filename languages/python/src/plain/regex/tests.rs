//! Programs of patterns as text, what they match, and what is refused.

use super::failure::Failure;
use super::pattern::Pattern;
use super::program::Program;
use super::scratch::Scratch;
use super::search::{self, Wanted};
use super::{compile, flags};
use expect_test::{Expect, expect};

fn made(pattern: &str, flags: u32, is_text: bool) -> Result<Program, Failure> {
    let characters: Vec<u32> = pattern.chars().map(u32::from).collect();
    compile(&Pattern {
        characters: &characters,
        is_text,
        flags,
        quote: |name| format!("'{name}'"),
        named: |_| None,
    })
}

fn program(pattern: &str, expected: &Expect) {
    let program = made(pattern, 0, true).expect("it is a pattern");
    expected.assert_eq(&program.written());
}

fn bytes_program(pattern: &str, expected: &Expect) {
    let program = made(pattern, 0, false).expect("it is a pattern");
    expected.assert_eq(&program.written());
}

/// Where all matches are, and where their groups.
fn matches(pattern: &str, flags: u32, text: &str) -> String {
    let program = made(pattern, flags, true).expect("it is a pattern");
    let mut scratch = Scratch::default();
    let (mut at, mut wanted) = (0, Wanted::First);
    let mut found = Vec::new();
    loop {
        let is_wide = !text.is_ascii();
        let is_match = search::find(&program, text.as_bytes(), at, is_wide, wanted, &mut scratch);
        if !is_match.expect("there is memory") {
            return found.join(" ");
        }
        let spans = (0..=program.groups).map(|group| match scratch.group(group) {
            Some((start, end)) => format!("{start}-{end}"),
            None => "none".to_string(),
        });
        found.push(spans.collect::<Vec<_>>().join(","));
        let (start, end) = scratch.group(0).expect("it matches");
        at = end;
        wanted = if start == end {
            Wanted::Next
        } else {
            Wanted::First
        };
    }
}

#[test]
fn what_one_byte_decides_needs_no_choice() {
    program(
        r#""(?:[^"\\]|\\.)*""#,
        &expect![[r#"
        start at \"
          0 byte \"
          1 sure split 8 at [\x00-!#-\x7f\xc2-\xf4]
          2 sure split 5 at [\x00-!#-[]-\x7f\xc2-\xf4]
          3 single [^"\] {1,} Possessive
          4 jump 1
          5 byte \\
          6 any
          7 jump 1
          8 byte \"
          9 match
    "#]],
    );
    program(
        r"(?P<name>[a-z]+)\s*=\s*\d+;",
        &expect![[r#"
            start at [a-z]
              0 open 1
              1 single [a-z] {1,} Possessive
              2 close 1
              3 single [\s] {0,} Possessive
              4 byte =
              5 single [\s] {0,} Greedy before [0-9\xc2-\xf4]
              6 single [\d] {1,} Possessive
              7 byte ;
              8 match
        "#]],
    );
    program(
        "ab*c|ad|[xy]z",
        &expect![[r#"
        start at axy
          0 split 5 at [a]
          1 byte a
          2 single b {0,} Possessive
          3 byte c
          4 jump 10
          5 sure split 8 at [a]
          6 literal ad
          7 jump 10
          8 set [x-y]
          9 byte z
         10 match
    "#]],
    );
    program(
        "(?:ab)*c",
        &expect![[r#"
        start at ac
          0 sure split 3 at [a]
          1 literal ab
          2 jump 0
          3 byte c
          4 match
    "#]],
    );
}

#[test]
fn what_it_does_not_decide_is_tried_otherwise() {
    program(
        "a*ab",
        &expect![[r#"
            start at a
              0 single a {0,} Greedy before a
              1 literal ab
              2 match
        "#]],
    );
    program(
        "(?:ab)*a",
        &expect![[r#"
        start at a
          0 split 3 at [a]
          1 literal ab
          2 jump 0
          3 byte a
          4 match
    "#]],
    );
    program(
        "(?:ab|a)*?b",
        &expect![[r#"
            start at ab
              0 sure split 6 at [a]
              1 byte a
              2 split 0 at [b]
              3 byte b
              4 jump 0
              5 jump 0
              6 byte b
              7 match
        "#]],
    );
    program(
        "a|ab|",
        &expect![[r#"
        start anywhere
          0 split 3 at [a]
          1 byte a
          2 jump 6
          3 split 6 at [a]
          4 literal ab
          5 jump 6
          6 match
    "#]],
    );
}

#[test]
fn what_alternatives_have_in_common_is_tried_once() {
    program(
        "for|from|if|f|fork",
        &expect![[r#"
        start at fi
          0 sure split 12 at [f]
          1 byte f
          2 split 5 at [o]
          3 literal or
          4 jump 13
          5 split 8 at [r]
          6 literal rom
          7 jump 13
          8 split 10
          9 jump 13
         10 literal ork
         11 jump 13
         12 literal if
         13 match
    "#]],
    );
}

#[test]
fn what_is_lazy_tries_the_rest_first() {
    program(
        r#"".*?"[^;]*;\w+:"#,
        &expect![[r#"
        start at \"
          0 byte \"
          1 single any {0,} Lazy before \"
          2 byte \"
          3 single [^;] {0,} Possessive
          4 byte ;
          5 single [\w] {1,} Possessive
          6 byte :
          7 match
    "#]],
    );
    program(
        "a*?a(?:bc)??b(?:b|cd)+?.",
        &expect![[r#"
            start at a
              0 single a {0,} Lazy before a
              1 byte a
              2 split-lazy 4
              3 literal bc
              4 byte b
              5 jump 7
              6 split-lazy 12
              7 sure split 10 at [b]
              8 byte b
              9 jump 6
             10 literal cd
             11 jump 6
             12 any
             13 match
        "#]],
    );
}

#[test]
fn loops_that_may_be_empty_or_are_bounded_count() {
    program(
        "(a?)*b",
        &expect![[r#"
            start at ab
              0 loop-start r5
              1 loop r5 {0,} exit 6
              2 open 1
              3 single a {0,1} Greedy before [a-b]
              4 close 1
              5 jump 1
              6 byte b
              7 match
        "#]],
    );
    program(
        "(?:ab){2,3}?",
        &expect![[r#"
        start at a
          0 loop-start r3
          1 loop r3 {2,3} lazy exit 4
          2 literal ab
          3 jump 1
          4 match
    "#]],
    );
    program(
        "(?:ab)*+",
        &expect![[r#"
        start anywhere
          0 atomic r3
          1 loop-start r4
          2 loop r4 {0,} exit 7
          3 atomic r6
          4 literal ab
          5 atomic-end r6
          6 jump 2
          7 atomic-end r3
          8 match
    "#]],
    );
}

#[test]
fn groups_assertions_and_references() {
    program(
        r"(?<=ab)(x)(?!\1)(?(1)y|z)",
        &expect![[r#"
        start at x
          0 look back 2 exit 3
          1 literal ab
          2 look-end
          3 open 1
          4 byte x
          5 close 1
          6 look not back 0 exit 9
          7 back 1 No
          8 look-end
          9 cond 1 else 12
         10 byte y
         11 jump 13
         12 byte z
         13 match
    "#]],
    );
    program(
        r"(?>a|ab)\b$",
        &expect![[r#"
            start at a
              0 atomic r3
              1 byte a
              2 split 4
              3 jump 5
              4 byte b
              5 atomic-end r3
              6 assert Boundary { is_negative: false, is_ascii: false }
              7 assert LastLineEnd
              8 match
        "#]],
    );
    program(
        "(?i:k[a-c])(?-i:k)",
        &expect![[r#"
        start at [Kk\xc2-\xf4]
          0 set [Kk\x212a]
          1 set [A-Ca-c]
          2 byte k
          3 match
    "#]],
    );
}

#[test]
fn texts_are_utf_8_and_bytes_are_bytes() {
    program(
        "\u{e9}+[\u{e9}a]",
        &expect![[r#"
            start at \xc3
              0 single \xc3\xa9 {1,} Greedy before [a\xc2-\xf4]
              1 set [a\xe9]
              2 match
        "#]],
    );
    bytes_program(
        "\u{e9}+[\u{e9}a]",
        &expect![[r#"
            start at \xe9
              0 single \xe9 {1,} Greedy before [a\xe9]
              1 set [a\xe9]
              2 match
        "#]],
    );
    bytes_program(
        r"\W.",
        &expect![[r#"
        start at [\x00-/:-@[-^`{-\xff]
          0 set [\x00-/:-@[-^`{-\x10ffff]
          1 any
          2 match
    "#]],
    );
}

#[test]
fn all_matches_are_found() {
    let all = [
        matches("a*", 0, "baac"),
        matches("(a)|(b)", 0, "abc"),
        matches("(?:(a)|b)*", 0, "ab"),
        matches(".", flags::DOTALL, "\u{e9}\n\u{4e09}"),
        matches("\u{3c3}", flags::IGNORECASE, "\u{3a3}\u{3c3}\u{3c2}"),
        matches("^.*$", flags::MULTILINE, "one\n\ntwo"),
        matches(r"(\w)\1", 0, "hello book"),
        matches(r"(?<=\u00e9)b", 0, "\u{e9}b ab"),
        matches("[^a]{2}", 0, "xay\u{e9}z"),
        matches("(a|ab)(c|bcd)(d*)", 0, "abcd"),
        matches("x*?y", 0, "xxy"),
        matches("for|from|if|f|fork", 0, "fork from f fo iffy"),
        matches("[^y]*?\u{e9}", 0, "a\u{e8}\u{e9}y\u{e9}"),
        matches(".*\u{e9}", 0, "a\u{e9}\u{e8}"),
        matches(".{1,2}?b", 0, "aaab"),
        matches("(?:a|b)*?(?:b|$)", 0, "aab"),
    ];
    expect![[r#"
        0-0 1-3 3-3 4-4
        0-1,0-1,none 1-2,none,1-2
        0-2,0-1 2-2,none
        0-2 2-3 3-6
        0-2 2-4 4-6
        0-3 4-4 5-8
        2-4,2-3 7-9,7-8
        2-3
        2-5
        0-4,0-1,1-4,4-4
        0-3
        0-3 5-9 10-11 12-13 15-17 17-18
        0-5 6-8
        0-3
        1-4
        0-3 3-3"#]]
    .assert_eq(&all.join("\n"));
}

#[test]
fn many_ways_need_no_native_stack() {
    let text = "a".repeat(200_000);
    assert_eq!(matches(r"\A(?:ab|a)*c", 0, &text), "");
    assert_eq!(matches("(?:aa|a)*$", 0, &text), "0-200000 200000-200000");
}

#[test]
fn mistakes_have_places() {
    let refused = [
        "(",
        ")",
        "[a",
        "*",
        "a**",
        "a{2,1}",
        r"\",
        r"(\1)",
        r"\q",
        "(?P<a>)(?P<a>)",
        "(?<=a*)",
        "(?z)",
        "(?i",
        "a(?i)",
        "(?(2)a)",
        "[z-a]",
        "(?P<1>a)",
        "(?#",
        "x{99999999999}",
    ];
    let said = refused.map(|pattern| match made(pattern, 0, true) {
        Ok(_) => format!("{pattern}: none"),
        Err(Failure::Syntax { message, place }) => format!("{pattern}: {message} {place:?}"),
        Err(other) => format!("{pattern}: {other:?}"),
    });
    expect![[r#"
        (: missing ), unterminated subpattern Some(0)
        ): unbalanced parenthesis Some(0)
        [a: unterminated character set Some(0)
        *: nothing to repeat Some(0)
        a**: multiple repeat Some(2)
        a{2,1}: min repeat greater than max repeat Some(2)
        \: bad escape (end of pattern) Some(0)
        (\1): cannot refer to an open group Some(1)
        \q: bad escape \q Some(0)
        (?P<a>)(?P<a>): redefinition of group name 'a' as group 2; was group 1 Some(11)
        (?<=a*): look-behind requires fixed-width pattern None
        (?z): unknown extension ?z Some(1)
        (?i: missing -, : or ) Some(3)
        a(?i): global flags not at the start of the expression Some(1)
        (?(2)a): invalid group reference 2 Some(3)
        [z-a]: bad character range z-a Some(1)
        (?P<1>a): bad character in group name '1' Some(4)
        (?#: missing ), unterminated comment Some(0)
        x{99999999999}: Overflow"#]]
    .assert_eq(&said.join("\n"));
    let deep = "(".repeat(1000) + &")".repeat(1000);
    assert_eq!(made(&deep, 0, true).err(), Some(Failure::Depth));
    let kinds = flags::ASCII | flags::UNICODE;
    assert!(matches!(made("a", kinds, true), Err(Failure::Flags(_))));
}
