//! The text form of effects, behind a function's kind.

use super::token::TextError;
use super::tokens::Tokens;
use super::write::name;
use crate::{ClassId, ClassKind, Descrs, Effects, FnKind, Places};

impl Places {
    /// `*`, or the names of fields and, with `[]` behind them, of array classes.
    pub fn print(&self, descrs: &Descrs) -> String {
        let Places::Of { fields, items } = self else {
            return "*".to_owned();
        };
        let fields = fields.iter().map(|&f| name(&descrs.field_name(f)));
        let items = items
            .iter()
            .map(|&c| format!("{}[]", name(&descrs.classes[c].name)));
        fields.chain(items).collect::<Vec<_>>().join(", ")
    }

    /// Adds the places of a name; the error says why there is none.
    ///
    /// # Errors
    /// If the name is of no field, or no array class.
    pub fn add(&mut self, descrs: &Descrs, name: &str, is_array: bool) -> Result<(), String> {
        let Places::Of { fields, items } = self else {
            return Ok(());
        };
        if is_array {
            let class = descrs.class_by_name(name);
            let is_array = |c: &ClassId| matches!(descrs.classes[*c].kind, ClassKind::Array { .. });
            match class.filter(is_array) {
                Some(class) => items.insert(class),
                None => return Err(format!("`{name}` is not an array class")),
            };
        } else {
            match descrs.field_by_name(name) {
                Some(field) => fields.insert(field),
                None => return Err(format!("there is no field `{name}`")),
            };
        }
        Ok(())
    }

    fn parse(descrs: &Descrs, tokens: &mut Tokens) -> Result<Places, TextError> {
        let mut places = Places::none();
        tokens.expect('(')?;
        if tokens.eat('*') {
            tokens.expect(')')?;
            return Ok(Places::All);
        }
        while !tokens.eat(')') {
            let name = tokens.word("a field, an array class or `*`")?;
            let is_array = tokens.eat('[');
            if is_array {
                tokens.expect(']')?;
            }
            if let Err(why) = places.add(descrs, &name, is_array) {
                return tokens.error(why);
            }
            if !tokens.eat(',') {
                tokens.expect(')')?;
                break;
            }
        }
        Ok(places)
    }
}

impl Effects {
    /// `reads(..) writes(..)` behind a space, with `suspects(..)` if there are any, or nothing for
    /// what the kind implies.
    pub fn print(&self, kind: FnKind, descrs: &Descrs) -> String {
        if *self == Effects::of_kind(kind) {
            return String::new();
        }
        let (reads, writes) = (self.reads.print(descrs), self.writes.print(descrs));
        let suspects = match self.suspects == Places::none() {
            true => String::new(),
            false => format!(" suspects({})", self.suspects.print(descrs)),
        };
        format!(" reads({reads}) writes({writes}){suspects}")
    }

    /// Reads what [`Effects::print`] writes.
    ///
    /// # Errors
    /// If a place is unknown or the text malformed.
    pub fn parse(kind: FnKind, descrs: &Descrs, tokens: &mut Tokens) -> Result<Effects, TextError> {
        if !tokens.eat_word("reads") {
            return Ok(Effects::of_kind(kind));
        }
        let reads = Places::parse(descrs, tokens)?;
        tokens.expect_word("writes")?;
        let writes = Places::parse(descrs, tokens)?;
        let mut effects = Effects::new(reads, writes);
        if tokens.eat_word("suspects") {
            effects.suspects = Places::parse(descrs, tokens)?;
        }
        Ok(effects)
    }
}
