//! The text form of descriptors: the lines in front of the graphs or jitcodes of a program.
//!
//! In: [`Descrs`] that have not been linked. Out: lines such as `class Point { x: int, next: cell ref }`,
//! `class GcArray<u8> [int]`, `fn fail(ref, int) -> int opaque`, `fn show(ref) opaque reads(Point.x) writes()`. Invariant: parsing what was printed gives the same
//! tables in the same order, without what the linker adds.

use crate::text::{TextError, Tokens, name, result_types};
use crate::{ClassInfo, ClassKind, Descrs, Effects, FieldInfo, FnInfo, FnKind, Layout, Ty};
use std::fmt::Write;

/// Bytes before the first item of an array, which are known before linking.
const ARRAY_HEADER: u32 = 16;

impl FnKind {
    const NAMES: [(FnKind, &'static str); 4] = [
        (FnKind::Opaque, "opaque"),
        (FnKind::Elidable, "elidable"),
        (FnKind::Readonly, "readonly"),
        (FnKind::Portal, "portal"),
    ];

    /// The word that text forms use.
    pub fn name(self) -> &'static str {
        FnKind::NAMES[self as usize].1
    }
}

impl Descrs {
    /// Prints all tables.
    pub fn print(&self) -> String {
        let mut out = String::new();
        for class in self.classes.values() {
            self.print_class(class, &mut out);
        }
        for info in self.fns.values() {
            let params: Vec<String> = info.params.iter().map(Ty::to_string).collect();
            let ret = result_types(&info.ret);
            let kind = info.kind.name();
            let effects = info.effects.print(info.kind, self);
            let name = name(&info.name);
            let _ = writeln!(out, "fn {name}({}){ret} {kind}{effects}", params.join(", "));
        }
        out
    }

    fn print_class(&self, class: &ClassInfo, out: &mut String) {
        let _ = write!(out, "class {}", name(&class.name));
        match &class.kind {
            ClassKind::Array {
                item, immutable, ..
            } => {
                let _ = writeln!(out, " [{}{item}]", cell(*immutable));
            }
            ClassKind::Struct { fields } => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|&f| {
                        let field = &self.fields[f];
                        format!(
                            "{}: {}{}",
                            name(&field.name),
                            cell(field.immutable),
                            field.ty
                        )
                    })
                    .collect();
                let _ = writeln!(out, " {{ {} }}", fields.join(", "));
            }
        }
    }

    /// Reads a `class` or `fn` line into the tables; answers whether the next line was one.
    ///
    /// # Errors
    /// If the line is malformed.
    pub fn parse_line(&mut self, tokens: &mut Tokens) -> Result<bool, TextError> {
        if tokens.eat_word("class") {
            self.parse_class(tokens)?;
        } else if tokens.eat_word("fn") {
            self.parse_fn(tokens)?;
        } else {
            return Ok(false);
        }
        tokens.newline()?;
        Ok(true)
    }

    fn parse_class(&mut self, tokens: &mut Tokens) -> Result<(), TextError> {
        let name = tokens.word("a class name")?;
        if self.class_by_name(&name).is_some() {
            return tokens.error(format!("class `{name}` is defined twice"));
        }
        let mut info = ClassInfo {
            name,
            kind: ClassKind::Struct { fields: Vec::new() },
            size: 0,
            word: 0,
        };
        if tokens.eat('[') {
            let (immutable, item) = cell_type(tokens)?;
            tokens.expect(']')?;
            info.size = ARRAY_HEADER;
            info.kind = ClassKind::Array {
                item,
                layout: Layout::default(),
                immutable,
            };
            self.classes.push(info);
            return Ok(());
        }
        let class = self.classes.push(info);
        let mut ids = Vec::new();
        tokens.expect('{')?;
        while !tokens.eat('}') {
            let name = tokens.word("a field name")?;
            tokens.expect(':')?;
            let (immutable, ty) = cell_type(tokens)?;
            ids.push(self.fields.push(FieldInfo {
                class,
                name,
                ty,
                immutable,
                layout: Layout::default(),
            }));
            if !tokens.eat(',') {
                tokens.expect('}')?;
                break;
            }
        }
        self.classes[class].kind = ClassKind::Struct { fields: ids };
        Ok(())
    }

    fn parse_fn(&mut self, tokens: &mut Tokens) -> Result<(), TextError> {
        let name = tokens.word("a function name")?;
        if self.fn_by_name(&name).is_some() {
            return tokens.error(format!("fn `{name}` is defined twice"));
        }
        let mut params = Vec::new();
        tokens.expect('(')?;
        while !tokens.eat(')') {
            params.push(tokens.ty()?);
            if !tokens.eat(',') {
                tokens.expect(')')?;
                break;
            }
        }
        let ret = tokens.result_types()?;
        let word = tokens.word("opaque, elidable or portal")?;
        let Some((kind, _)) = FnKind::NAMES.into_iter().find(|k| k.1 == word) else {
            return tokens.error(format!("`{word}` is not opaque, elidable or portal"));
        };
        let effects = Effects::parse(kind, self, tokens)?;
        self.fns.push(FnInfo {
            name,
            params,
            ret,
            kind,
            effects,
            target: 0,
            thunk: 0,
            invoke: 0,
        });
        Ok(())
    }
}

fn cell(immutable: bool) -> &'static str {
    if immutable { "" } else { "cell " }
}

fn cell_type(tokens: &mut Tokens) -> Result<(bool, Ty), TextError> {
    let immutable = !tokens.eat_word("cell");
    Ok((immutable, tokens.ty()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_round_trip() {
        let text = "class interp::Point { x: int, next: cell ref }\n\
                    class GcArray<Cell<f64>, OnStack> [cell float]\n\
                    class Empty {  }\n\
                    fn interp::fail(ref, int) -> int opaque\n\
                    fn bump(ref) opaque reads(*) writes(interp::Point.next)\n\
                    fn push(ref) opaque reads() writes(GcArray<Cell<f64>, OnStack>[])\n\
                    fn both() opaque reads(interp::Point.x, interp::Point.next) writes(*)\n\
                    fn pure(int) -> int elidable\n\
                    fn split(ref) -> (int, float) elidable\n\
                    fn run() portal\n";
        let mut descrs = Descrs::default();
        let mut tokens = Tokens::new(text).expect("lexes");
        while descrs.parse_line(&mut tokens).expect("parses") {}
        assert_eq!(descrs.print(), text);
        assert_eq!(descrs.fields.len(), 2);
        assert!(!descrs.fields[descrs.field_by_name("interp::Point.next").unwrap()].immutable);
    }

    #[test]
    fn mistakes_name_their_line() {
        let parse = |text: &str| {
            let mut descrs = Descrs::default();
            let mut tokens = Tokens::new(text).expect("lexes");
            loop {
                match descrs.parse_line(&mut tokens) {
                    Ok(true) => {}
                    Ok(false) => panic!("accepted"),
                    Err(e) => return e.to_string(),
                }
            }
        };
        assert_eq!(
            parse("class A { }\nclass A { }"),
            "line 2: class `A` is defined twice"
        );
        assert_eq!(
            parse("fn f() opaque reads(A.x) writes()"),
            "line 1: there is no field `A.x`"
        );
        assert_eq!(
            parse("fn f() opaque reads(A[]) writes()"),
            "line 1: `A` is not an array class"
        );
        assert_eq!(
            parse("fn f(word) opaque"),
            "line 1: `word` is not a type (int, ref, float)"
        );
    }
}
