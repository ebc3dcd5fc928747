//! Assembler and disassembler. In: texts and images. Out: binaries, texts, messages. Invariant
//! under test: what the disassembler prints assembles to the same binary, byte for byte.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use tlc::asm::assemble;
use tlc::disasm::disassemble;
use tlc::image::{Class, Image};

/// The disassembly of a program; it assembles to the same binary.
fn check_listing(source: &str, expected: Expect) {
    let image = assemble(source, "test.tlc").expect("the program is right");
    expected.assert_eq(&disassemble(&image));
    assert_round_trip(&image);
}

/// The assembler's errors.
fn check_errors(source: &str, expected: Expect) {
    let errors = assemble(source, "test.tlc").expect_err("the program is wrong");
    let lines: Vec<String> = errors.iter().map(|error| format!("{error}\n")).collect();
    expected.assert_eq(&lines.concat());
}

fn assert_round_trip(image: &Image) {
    let text = disassemble(image);
    let again = match assemble(&text, "other.tlc") {
        Ok(image) => image,
        Err(errors) => panic!("{errors:?} in\n{text}"),
    };
    assert_eq!(&again, image, "\n{text}");
    assert_eq!(again.encode(), image.encode());
}

fn code(source: &str) -> Vec<u8> {
    assemble(source, "test.tlc")
        .expect("the program is right")
        .code
}

#[test]
fn opcodes_and_offsets() {
    let bytes = code(
        "main: PUSH 0\n PUSH 1\n BR_COND somename\nlabel1:\n PUSH -1\n PUSH 3\n BR_COND end\n\
         somename:   ;\n PUSH 2  //\n BR_COND label1//\nend:// comment\n #\n//\n",
    );
    let expected = [2, 0, 2, 1, 18, 6, 2, -1, 2, 3, 18, 4, 2, 2, 18, -10];
    assert_eq!(bytes, expected.map(|byte: i8| byte as u8));
}

#[test]
fn a_label_can_be_pushed() {
    assert_eq!(code("PUSH end\nBR_COND_STK\nend: NOP"), [2, 1, 19, 1]);
}

#[test]
fn classes_and_names() {
    let source = "NEW a,b,m=f,n=g\nNEW a , b, m = f, n=g\nNEW b\nNEW ,\nSEND m/2\nGETATTR b\nSETATTR m\nf:\ng: RETURN";
    let image = assemble(source, "test.tlc").expect("the program is right");
    assert_eq!(
        image.code,
        [28, 0, 28, 0, 28, 1, 28, 2, 31, 0, 2, 29, 1, 30, 0, 21]
    );
    assert_eq!(image.names, ["m", "b"]);
    let methods = vec![("m".to_string(), 15), ("n".to_string(), 15)];
    let attributes = vec!["a".to_string(), "b".to_string()];
    assert_eq!(
        image.classes[0],
        Class {
            attributes,
            methods
        }
    );
    assert_eq!(image.classes[2], Class::default());
}

#[test]
fn a_listing_keeps_labels_and_lines() {
    check_listing(
        "main:\n    PUSHARG\n\n\n\n    NEW x,go=far  ; a comment\n    SEND go/0\n\n\n\n\n\n\n    BR end\nfar:\nend:\n    RETURN\n",
        expect![[r#"
            ; 9 bytes of code, 1 names, 1 classes
            .file "test.tlc"
            main:
            .line 2
                PUSHARG                 ; 0



                NEW x,go=far            ; 1
                SEND go/0               ; 3
            .line 14
                BR far                  ; 6 -> 8
            far:
            end:
                RETURN                  ; 8
        "#]],
    );
}

#[test]
fn a_listing_shows_what_is_no_instruction() {
    check_listing(
        ".file \"a \\\"b\\\"\"\n.names y,x\n.class a,m=2\n.class a,m=2\nNEW 1\nNEW 7\nGETATTR 9\n.byte 0 200 -1\nSEND x/3\n.byte 31 0",
        expect![[r#"
            ; 14 bytes of code, 2 names, 2 classes
            .file "a \"b\""
            .names y,x
            .class a,m=2
            .class a,m=2
            .line 5
                NEW 1                   ; 0
                NEW 7                   ; 2
                GETATTR 9               ; 4
                .byte 0                 ; 6
            .line 8
                .byte 200               ; 7
            .line 8
                .byte 255               ; 8
                SEND x/3                ; 9
                .byte 31                ; 12
            .line 10
                .byte 0                 ; 13
        "#]],
    );
}

#[test]
fn every_error_is_reported_at_its_line() {
    check_errors(
        "main:\n  PUHS 1\n  push 1\n  PUSH\n  POP 1\n  PUSH 128\n  PUSH -129\n  BR nowhere\nmain: NOP\n  SEND go\n  SEND go/-1\n  \
         GETATTR\n  GETATTR a=b\n  NEW a,a\n  NEW m=f=g\n  NEW m=missing\n  PUSH a,b\n  .bite 1\n  .byte 256\n  .line x\n  .file x\n12: NOP\n",
        expect![[r#"
            2: unknown mnemonic `PUHS`
            3: unknown mnemonic `push` (did you mean `PUSH`?)
            4: PUSH needs a number from -128 to 127 or a label
            5: POP takes no operand
            6: an operand is a signed byte, -128 to 127: 128 does not fit
            7: an operand is a signed byte, -128 to 127: -129 does not fit
            8: label `nowhere` is not defined
            9: label `main` is already defined in line 1
            10: SEND needs a method and its number of arguments, as in `SEND add/1`
            11: `-1` is not a number of arguments
            12: GETATTR needs the name of an attribute
            13: `a=b` is not a name
            14: `a` is named twice
            15: `f=g` cannot be a label
            16: label `missing` is not defined
            17: `a,b` is neither a number nor a label
            18: unknown directive `.bite`
            19: `256` is not a byte
            20: `.line` takes a line number
            21: `.file` takes a path in double quotes
            22: `12` cannot be a label
        "#]],
    );
}

#[test]
fn a_program_too_large_for_its_branches_is_refused() {
    let far = |gap: usize| format!("BR end\n{}end: RETURN\n", "NOP\n".repeat(gap));
    assert_eq!(code(&far(127))[1], 127);
    check_errors(
        &far(128),
        expect![[r#"
            1: label `end` is 128 bytes away, but an offset is a signed byte, -128 to 127: the program is too large for this branch (go through a `BR` in between)
        "#]],
    );
    let back = |gap: usize| format!("start:\n{}BR start\n", "NOP\n".repeat(gap));
    assert_eq!(code(&back(126))[127], 128);
    check_errors(
        &back(127),
        expect![[r#"
            129: label `start` is -129 bytes away, but an offset is a signed byte, -128 to 127: the program is too large for this branch (go through a `BR` in between)
        "#]],
    );
}

#[test]
fn too_many_names_are_refused() {
    let source: String = (0..129).map(|n| format!("GETATTR a{n}\n")).collect();
    check_errors(
        &source,
        expect![[r#"
            129: a name's number is a signed byte, -128 to 127: 128 does not fit
        "#]],
    );
}

/// Any image that decodes: random code over small tables, lines at the starts of instructions.
fn any_image() -> impl Strategy<Value = Image> {
    let name = prop::sample::select(vec!["a", "b", "add", "größe", "x.y", "BR", "Z9"]);
    let names = prop::collection::btree_set(name.clone(), 0..5).prop_shuffled();
    let class = (
        prop::collection::btree_set(name.clone(), 0..3),
        prop::collection::btree_map(name.clone(), 0..40u32, 0..3),
    );
    let code = prop::collection::vec(prop_oneof![4 => 0..37u8, 1 => any::<u8>()], 0..40);
    let lines = prop::collection::btree_map(0..40u32, 0..30u32, 0..12);
    let labels = prop::collection::btree_map(name, 0..=40u32, 0..6);
    let classes = prop::collection::vec(class, 0..4);
    let file = prop::sample::select(vec!["a.tlc", "", "dir with space/\"q\"\\;#//\n.tlc"]);
    (code, names, classes, lines, labels, file).prop_map(
        |(code, names, classes, lines, labels, file)| {
            let size = code.len() as u32;
            let mut labels: Vec<_> = labels
                .into_iter()
                .map(|(name, pc)| (name.to_string(), pc.min(size)))
                .collect();
            labels.sort_by_key(|(_, pc)| *pc);
            let mut last = 0;
            let changes = lines
                .into_iter()
                .filter(|&(pc, line)| pc < size && std::mem::replace(&mut last, line) != line);
            let class = |(attributes, methods): (
                std::collections::BTreeSet<&str>,
                std::collections::BTreeMap<&str, u32>,
            )| Class {
                attributes: attributes.into_iter().map(str::to_string).collect(),
                methods: methods
                    .into_iter()
                    .map(|(name, pc)| (name.to_string(), pc))
                    .collect(),
            };
            Image {
                file: file.to_string(),
                names: names.into_iter().map(str::to_string).collect(),
                classes: classes.into_iter().map(class).collect(),
                lines: changes.collect(),
                code,
                labels,
            }
        },
    )
}

trait Shuffled: Strategy + Sized {
    fn prop_shuffled(self) -> BoxedStrategy<Vec<&'static str>>;
}

impl<S: Strategy<Value = std::collections::BTreeSet<&'static str>> + 'static> Shuffled for S {
    fn prop_shuffled(self) -> BoxedStrategy<Vec<&'static str>> {
        self.prop_map(|set| set.into_iter().collect::<Vec<_>>())
            .prop_shuffle()
            .boxed()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn listings_assemble_to_the_same_binary(image in any_image()) {
        prop_assert_eq!(Image::decode(&image.encode()), Ok(image.clone()));
        assert_round_trip(&image);
    }

    #[test]
    fn the_assembler_never_panics(source in "([a-zA-Z:;#/,.= \"\\\\0-9-]{0,20}\n){0,6}") {
        if let Ok(image) = assemble(&source, "test.tlc") {
            assert_round_trip(&image);
        }
    }
}

#[test]
fn every_shipped_program_round_trips() {
    let mut count = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/programs"))
        .expect("the folder is there")
    {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_some_and(|extension| extension == "tlc") {
            let source = std::fs::read_to_string(&path).expect("it can be read");
            let image = assemble(&source, "p.tlc")
                .unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
            assert_round_trip(&image);
            count += 1;
        }
    }
    assert!(count >= 9, "only {count} programs found");
}
