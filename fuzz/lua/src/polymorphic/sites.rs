//! The loop of a polymorphic program, with the places that see variants. In: the variants. Out:
//! `main`. Invariant: which variant comes next depends on the turn, or on random numbers that begin
//! anew with each call of `main`.

use super::Variants;
use crate::writer::Writer;

impl Writer<'_, '_> {
    /// The function `main`, and the functions that it calls.
    pub(super) fn sites(&mut self, families: &[Variants]) {
        let count = 1 + self.tape.below(4);
        let mut pools = vec![false; families.len()];
        let mut body = String::new();
        for number in 0..count {
            let family = self.tape.below(families.len());
            body += &self.site(number, &families[family], family, &mut pools[family]);
        }
        self.line("local function main(n)");
        self.line("sum, seed = 0, 1");
        for (family, variants) in families.iter().enumerate().filter(|(at, _)| pools[*at]) {
            let Variants { count, make, .. } = variants;
            self.line(&format!("local pool{family} = {{}}"));
            self.line(&format!(
                "for k = 1, {count} do pool{family}[k] = {make}(k, k) end"
            ));
        }
        self.line("for i = 1, n do");
        self.out.push_str(&body);
        self.line("end");
        self.line("return sum");
        self.line("end");
    }

    /// A place in the loop; if there is a function around it, that is written.
    fn site(
        &mut self,
        number: usize,
        variants: &Variants,
        family: usize,
        pool: &mut bool,
    ) -> String {
        let form = self.tape.below(4);
        let turn = if form == 3 { "(i + j)" } else { "i" };
        let k = self.order(variants.count, turn);
        let source = match self.tape.chance(1, 2) {
            false => {
                *pool = true;
                format!("pool{family}[{k}]")
            }
            true => format!("{}({k}, {turn})", variants.make),
        };
        let uses: Vec<&str> = variants.uses.iter().map(|text| &text[..]).collect();
        let used = match self.tape.chance(1, 3) {
            true => format!("{}, {}", self.tape.pick(&uses), self.tape.pick(&uses)),
            false => self.tape.pick(&uses).to_string(),
        };
        let used = used.replace('O', "o").replace('I', turn);
        let inline = format!("local o = {source}\nlocal u, v = {used}\nadd(u) add(v)\nend\n");
        let function = format!("site{number}");
        if form == 1 || form == 2 {
            self.line(&format!(
                "local function {function}(o, i) return {used} end"
            ));
        }
        match form {
            0 => format!("do\n{inline}"),
            1 => format!("add({function}({source}, i))\n"),
            2 => format!("do\nlocal ok, v = pcall({function}, {source}, i)\nadd(v)\nend\n"),
            _ => {
                let turns = self.tape.pick(&[2, 3, 10, 40]);
                format!("for j = 1, {turns} do\n{inline}")
            }
        }
    }

    /// The number of the variant that comes in a turn: of all, or of some.
    fn order(&mut self, count: usize, turn: &str) -> String {
        let some = self
            .tape
            .pick(&[count, count, count, 1, 2, 8, 9])
            .min(count);
        let run = self.tape.pick(&[3, 10, 25, 60]);
        match self.tape.below(6) {
            0 => format!("{turn} % {some} + 1"),
            1 => format!("{turn} // {run} % {some} + 1"),
            2 => format!("random({some})"),
            3 => format!("({turn} % {run} == 0 and {turn} // {run} % {some} or 0) + 1"),
            4 => format!("(i < n // 2 and 1 or {turn} % {some} + 1)"),
            _ => format!("({turn} % 2 == 0 and random({some}) or {some})"),
        }
    }
}
