//! The text form of descriptors: the lines in front of the graphs or jitcodes of a program.
//!
//! Examples: `class Point { x: int, next: cell ref }`, `class GcArray<u8> [int]`,
//! `class Type { version: quasi int }`, `class Cell { tag: cell int, part: cell float if tag in (2,
//! 5) }` with a component that is zero unless the tag is one of these,
//! `fn fail(ref, int) -> int opaque`, `fn show(ref) opaque reads(Point.x) writes()`,
//! `policy can_never_inline rare` with a function from above. Parsing gives the same tables in the
//! same order, without the linker's part.

use super::token::{TextError, Token};
use super::tokens::Tokens;
use super::write::{name, result_types, used_by};
use crate::{
    ClassId, ClassInfo, ClassKind, Descrs, Effects, FieldId, FieldInfo, FnId, FnInfo, FnKind, Held,
    SlotLayout, Ty, UsedBy,
};
use std::fmt::Write;

/// Bytes before the first item of an array, which are known before linking.
const ARRAY_HEADER: u32 = 16;

impl FnKind {
    const NAMES: [(FnKind, &'static str); 7] = [
        (FnKind::Opaque, "opaque"),
        (FnKind::Conditional, "conditional"),
        (FnKind::Elidable, "elidable"),
        (FnKind::Readonly, "readonly"),
        (FnKind::Recorded, "recorded"),
        (FnKind::Portal, "portal"),
        (FnKind::Runner, "runner"),
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
        for id in self.classes.keys() {
            self.print_class(id, &mut out);
        }
        for info in self.fns.values() {
            let params: Vec<String> = info.params.iter().map(Ty::to_string).collect();
            let ret = result_types(&info.ret);
            let kind = info.kind.name();
            let effects = info.effects.print(info.kind, self);
            let name = name(&info.name);
            let _ = writeln!(out, "fn {name}({}){ret} {kind}{effects}", params.join(", "));
        }
        for (policy, function) in self.policies.iter() {
            let _ = writeln!(out, "policy {policy} {}", name(&self.fns[function].name));
        }
        out
    }

    fn print_class(&self, id: ClassId, out: &mut String) {
        let class = &self.classes[id];
        let _ = write!(out, "class {}", name(&class.name));
        match &class.kind {
            ClassKind::Array {
                item,
                immutable,
                virtualizable,
                ..
            } => {
                let used = self.used_items.get(&id);
                let used = used.map(|u| used_by(&self.classes[u.tag].name, u.tags));
                let held = said(Held::of(*immutable, false, *virtualizable));
                let used = used.unwrap_or_default();
                let _ = writeln!(out, " [{held}{item}{used}]");
            }
            ClassKind::Struct { fields } => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|&f| {
                        let field = &self.fields[f];
                        let used = self.used_fields.get(&f);
                        let used = used.map(|u| used_by(&self.fields[u.tag].name, u.tags));
                        format!(
                            "{}: {}{}{}",
                            name(&field.name),
                            said(field.held()),
                            field.ty,
                            used.unwrap_or_default()
                        )
                    })
                    .collect();
                let _ = writeln!(out, " {{ {} }}", fields.join(", "));
            }
        }
    }

    /// Reads a `class`, `fn` or `policy` line into the tables; returns whether the next line was
    /// one.
    ///
    /// # Errors
    /// If the line is malformed.
    pub fn parse_line(&mut self, tokens: &mut Tokens) -> Result<bool, TextError> {
        if tokens.eat_word("class") {
            self.parse_class(tokens)?;
        } else if tokens.eat_word("fn") {
            self.parse_fn(tokens)?;
        } else if tokens.eat_word("policy") {
            self.parse_policy(tokens)?;
        } else {
            return Ok(false);
        }
        tokens.newline()?;
        Ok(true)
    }

    /// Reads the name of a class.
    ///
    /// # Errors
    /// If there is no such class.
    pub fn class_at(&self, tokens: &mut Tokens) -> Result<ClassId, TextError> {
        let name = tokens.word("a class")?;
        let class = self.class_by_name(&name);
        class.map_or_else(|| tokens.error(format!("there is no class `{name}`")), Ok)
    }

    /// Reads the name of a field.
    ///
    /// # Errors
    /// If there is no such field.
    pub fn field_at(&self, tokens: &mut Tokens) -> Result<FieldId, TextError> {
        let name = tokens.word("a field")?;
        let field = self.field_by_name(&name);
        field.map_or_else(|| tokens.error(format!("there is no field `{name}`")), Ok)
    }

    /// Reads the name of a called function.
    ///
    /// # Errors
    /// If there is no such function.
    pub fn fn_at(&self, tokens: &mut Tokens) -> Result<FnId, TextError> {
        let name = tokens.word("a function")?;
        let function = self.fn_by_name(&name);
        function.map_or_else(|| tokens.error(format!("there is no fn `{name}`")), Ok)
    }

    /// Prints the `object` line of an enum of classes.
    pub fn print_object(&self, object: &str, classes: &[ClassId]) -> String {
        let classes = classes.iter().map(|&class| name(&self.classes[class].name));
        let classes: Vec<String> = classes.collect();
        format!("object {} [{}]\n", name(object), classes.join(", "))
    }

    /// Reads an `object` line from behind its first word.
    ///
    /// # Errors
    /// If the line is malformed.
    pub fn parse_object(&self, tokens: &mut Tokens) -> Result<(String, Vec<ClassId>), TextError> {
        let name = tokens.word("the name of an object enum")?;
        let mut classes = Vec::new();
        tokens.expect('[')?;
        while !tokens.eat(']') {
            classes.push(self.class_at(tokens)?);
            if !tokens.eat(',') {
                tokens.expect(']')?;
                break;
            }
        }
        tokens.newline()?;
        Ok((name, classes))
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
            has_registers: false,
        };
        if tokens.eat('[') {
            let (held, item) = held_type(tokens)?;
            if held == Held::Quasi {
                return tokens.error("an item is not quasi-immutable");
            }
            if let Some((tag, tags)) = parse_used_by(tokens)? {
                let Some(tag) = self.class_by_name(&tag) else {
                    return tokens.error(format!("there is no class `{tag}`"));
                };
                let class = self.classes.next_key();
                self.used_items.insert(class, UsedBy { tag, tags });
            }
            tokens.expect(']')?;
            info.size = ARRAY_HEADER;
            info.kind = ClassKind::Array {
                item,
                layout: SlotLayout::default(),
                immutable: held == Held::Immutable,
                virtualizable: held == Held::Virtualizable,
            };
            self.classes.push(info);
            self.find_parts();
            return Ok(());
        }
        let class = self.classes.push(info);
        let mut ids = Vec::new();
        tokens.expect('{')?;
        while !tokens.eat('}') {
            let name = tokens.word("a field name")?;
            tokens.expect(':')?;
            let (held, ty) = held_type(tokens)?;
            if let Some((tag, tags)) = parse_used_by(tokens)? {
                let found = ids.iter().find(|&&f: &&FieldId| self.fields[f].name == tag);
                let Some(&tag) = found else {
                    return tokens.error(format!("there is no field `{tag}` before this one"));
                };
                let field = self.fields.next_key();
                self.used_fields.insert(field, UsedBy { tag, tags });
            }
            ids.push(self.fields.push(FieldInfo {
                class,
                name,
                ty,
                immutable: held == Held::Immutable,
                quasi: held == Held::Quasi,
                virtualizable: held == Held::Virtualizable,
                layout: SlotLayout::default(),
            }));
            if !tokens.eat(',') {
                tokens.expect('}')?;
                break;
            }
        }
        self.classes[class].kind = ClassKind::Struct { fields: ids };
        self.find_parts();
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

    fn parse_policy(&mut self, tokens: &mut Tokens) -> Result<(), TextError> {
        let name = tokens.word("the name of a policy")?;
        let function = tokens.word("a function name")?;
        let Some(id) = self.fn_by_name(&function) else {
            return tokens.error(format!("there is no fn `{function}`"));
        };
        match self.policies.by_name(&name) {
            Some(policy @ None) => *policy = Some(id),
            Some(_) => return tokens.error(format!("policy `{name}` is there twice")),
            None => return tokens.error(format!("there is no policy `{name}`")),
        }
        Ok(())
    }
}

fn parse_used_by(tokens: &mut Tokens) -> Result<Option<(String, u64)>, TextError> {
    if !tokens.eat_word("if") {
        return Ok(None);
    }
    let tag = tokens.word("the name of the tag")?;
    tokens.expect_word("in")?;
    tokens.expect('(')?;
    let mut tags = 0;
    while !tokens.eat(')') {
        match tokens.bump() {
            Token::Int(n @ 0..64) => tags |= 1 << n,
            other => return tokens.error(format!("expected a tag below 64, found {other}")),
        }
        if !tokens.eat(',') {
            tokens.expect(')')?;
            break;
        }
    }
    Ok(Some((tag, tags)))
}

/// The word in front of a type, with a blank behind it.
fn said(held: Held) -> &'static str {
    match held {
        Held::Immutable => "",
        Held::Mutable => "cell ",
        Held::Quasi => "quasi ",
        Held::Virtualizable => "virtualizable ",
    }
}

/// How a place may change, and its type.
fn held_type(tokens: &mut Tokens) -> Result<(Held, Ty), TextError> {
    let changing = [Held::Mutable, Held::Quasi, Held::Virtualizable];
    let held = changing
        .into_iter()
        .find(|&held| tokens.eat_word(said(held).trim_end()));
    Ok((held.unwrap_or(Held::Immutable), tokens.ty()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_round_trip() {
        let text = "class interp::Point { x: int, next: cell ref, version: quasi int, pc: virtualizable int }\n\
                    class GcArray<Cell<f64>, OnStack> [cell float]\n\
                    class GcArray<Virtualizable<i64>> [virtualizable int]\n\
                    class Empty {  }\n\
                    class Value { v#0: cell int, v#1: cell float if v#0 in (2, 5), v#2: cell ref if v#0 in () }\n\
                    class GcArray<Value> [cell int]\n\
                    class Other {  }\n\
                    class GcArray<Value>#1 [cell float if GcArray<Value> in (0, 63)]\n\
                    fn interp::fail(ref, int) -> int opaque\n\
                    fn bump(ref) opaque reads(*) writes(interp::Point.next)\n\
                    fn push(ref) opaque reads() writes(GcArray<Cell<f64>, OnStack>[])\n\
                    fn both() opaque reads(interp::Point.x, interp::Point.next) writes(*)\n\
                    fn pure(int) -> int elidable\n\
                    fn split(ref) -> (int, float) elidable\n\
                    fn doubtful(ref) -> int elidable reads() writes() suspects(interp::Point.x, GcArray<Value>[])\n\
                    fn same(ref) -> ref recorded\n\
                    fn run() portal\n\
                    policy can_never_inline pure\n\
                    policy should_unroll_one_iteration interp::fail\n";
        let mut descrs = Descrs::default();
        let mut tokens = Tokens::new(text).expect("lexes");
        while descrs.parse_line(&mut tokens).expect("parses") {}
        assert_eq!(descrs.print(), text);
        assert_eq!(descrs.fields.len(), 7);
        let word = descrs.field_by_name("Value.v#2").expect("a field");
        let first = descrs.field_by_name("Value.v#0").expect("a field");
        assert_eq!(descrs.field_part(word), (first, 2));
        let word = descrs.class_by_name("GcArray<Value>#1").expect("a class");
        let first = descrs.class_by_name("GcArray<Value>").expect("a class");
        assert_eq!(descrs.item_part(word), (first, 1));
        assert_eq!((descrs.item_words(first), descrs.item_words(word)), (2, 2));
        assert_eq!(descrs.item_word(first, 1), Some(word));
        assert_eq!(descrs.item_word(first, 2), None);
        assert_eq!((descrs.field_parts.len(), descrs.item_parts.len()), (3, 2));
        assert!(descrs.fields[descrs.field_by_name("interp::Point.version").unwrap()].quasi);
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
            parse("class A { x: int if y in (1) }"),
            "line 1: there is no field `y` before this one"
        );
        assert_eq!(
            parse("class A { x: int, y: int if x in (64) }"),
            "line 1: expected a tag below 64, found `64`"
        );
        assert_eq!(
            parse("policy can_never_inline f"),
            "line 1: there is no fn `f`"
        );
        assert_eq!(
            parse("fn f() -> int elidable\npolicy can f"),
            "line 2: there is no policy `can`"
        );
        assert_eq!(
            parse("fn f(real) opaque"),
            "line 1: `real` is not a type (int, ref, float, word)"
        );
    }
}
