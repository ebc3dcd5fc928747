//! How often loops turn, as far as the text says it. In: the body of a function. Out: whether all
//! its loops together have few turns. Invariant: few turns are always the same number of turns,
//! whatever the function is given.

use syn::visit::Visit;

/// More turns than these make a trace too long.
const FEW: u128 = 32;

/// How often the loops of a function turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turns {
    /// A small number, which the text says.
    Few,
    Unknown,
}

/// How often the loops in a body turn, those in loops taken times.
pub(crate) fn turns(body: &syn::Block) -> Turns {
    let mut count = Count {
        most: Some(0),
        around: 1,
    };
    count.visit_block(body);
    match count.most {
        Some(most) if (1..=FEW).contains(&most) => Turns::Few,
        _ => Turns::Unknown,
    }
}

struct Count {
    /// The turns of the loop that turns most often; none if one of them does not say it.
    most: Option<u128>,
    /// The turns of the loops around.
    around: u128,
}

impl<'ast> Visit<'ast> for Count {
    fn visit_expr_for_loop(&mut self, e: &'ast syn::ExprForLoop) {
        let Some(turns) = of_range(&e.expr) else {
            self.most = None;
            return;
        };
        let before = self.around;
        self.around = before.saturating_mul(turns);
        self.most = self.most.map(|most| most.max(self.around));
        self.visit_block(&e.body);
        self.around = before;
    }

    fn visit_expr_while(&mut self, _: &'ast syn::ExprWhile) {
        self.most = None;
    }

    fn visit_expr_loop(&mut self, _: &'ast syn::ExprLoop) {
        self.most = None;
    }

    // Its functions are others.
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// The turns over a range between two literals.
fn of_range(range: &syn::Expr) -> Option<u128> {
    match range {
        syn::Expr::Paren(e) => of_range(&e.expr),
        syn::Expr::Range(e) => {
            let (start, end) = (literal(e.start.as_ref()?)?, literal(e.end.as_ref()?)?);
            let is_closed = matches!(e.limits, syn::RangeLimits::Closed(_));
            end.saturating_add(is_closed.into()).checked_sub(start)
        }
        _ => None,
    }
}

fn literal(e: &syn::Expr) -> Option<u128> {
    match e {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) => n.base10_parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_turns_are_seen() {
        let cases = [
            ("{ for i in 0..3 {} }", Turns::Few),
            ("{ for i in (1..=4u8) { for j in 0..8 {} } }", Turns::Few),
            ("{ for i in 0..8 { for j in 0..8 {} } }", Turns::Unknown),
            ("{ for i in 0..n {} }", Turns::Unknown),
            ("{ for i in 0..3 { while x {} } }", Turns::Unknown),
            ("{ fn g() { loop {} } for i in 0..3 {} }", Turns::Few),
            ("{}", Turns::Unknown),
        ];
        for (text, expected) in cases {
            let body = syn::parse_str(text).expect("a block");
            assert_eq!(turns(&body), expected, "{text}");
        }
    }
}
