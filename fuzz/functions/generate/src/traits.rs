//! A trait with static dispatch, and who implements it. In: a tape. Out: the text of the trait, of
//! its implementations, and of a function that is generic over it. Invariant: each method is one
//! that can be called by its name alone, for no two traits share one.

use crate::items::HELPER;
use crate::maker::{Maker, Scope};
use crate::types::{Function, Param, Ty};

/// The names of a trait, of its methods, and of the generic function.
struct Names {
    of_trait: String,
    rank: String,
    twice: String,
    make: String,
    via: String,
}

impl Maker<'_> {
    /// A trait for a few types.
    pub fn new_trait(&mut self) -> String {
        let names = Names {
            of_trait: self.name("K"),
            rank: self.name("rank"),
            twice: self.name("twice"),
            make: self.name("make"),
            via: self.name("via"),
        };
        let mut types: Vec<Ty> = Vec::new();
        for _ in 0..2 + self.tape.below(2) {
            let ty = self.ty();
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        self.note("trait");
        let implemented: String = types
            .iter()
            .map(|ty| self.implemented(&names, ty))
            .collect();
        let Names {
            of_trait,
            rank,
            twice,
            make,
            via,
        } = names;
        format!(
            "trait {of_trait}: Copy {{ const N: i64; fn {rank}(self, x: i64) -> i64; fn {make}(x: i64) -> Self; \
             fn {twice}(self, x: i64) -> i64 {{ let y = self.{rank}(x); self.{rank}(y).wrapping_add(Self::N) }} }}\n\
             fn {via}<T: {of_trait}>(t: T, x: i64) -> i64 {{ t.{rank}(x).wrapping_mul(T::N) ^ T::{make}(x).{twice}(x) }}\n\
             {implemented}"
        )
    }

    /// The trait for one type.
    fn implemented(&mut self, names: &Names, ty: &Ty) -> String {
        let (rank, rank_cost) = self.trait_function(&names.rank, Some(ty), &Ty::I64);
        let (make, make_cost) = self.trait_function(&names.make, None, ty);
        let (twice, twice_cost) = match self.tape.chance(1, 3) {
            true => {
                self.note("trait method instead of the trait's");
                self.trait_function(&names.twice, Some(ty), &Ty::I64)
            }
            false => (String::new(), 2 * rank_cost + 3),
        };
        let (text, of_trait) = (ty.text(), &names.of_trait);
        let constant = self.tape.within(-9, 9);
        let mut callable = |name: String, first: Option<&Ty>, ret: &Ty, cost: u32| {
            let params = first.into_iter().chain([&Ty::I64]);
            let by_value = |ty: &Ty| Param {
                ty: ty.clone(),
                is_lent: false,
            };
            self.items.functions.push(Function {
                name,
                params: params.map(by_value).collect(),
                ret: ret.clone(),
                cost,
                is_pure: false,
            });
        };
        callable(format!(".{}", names.rank), Some(ty), &Ty::I64, rank_cost);
        callable(format!(".{}", names.twice), Some(ty), &Ty::I64, twice_cost);
        let make_name = format!("<{text} as {of_trait}>::{}", names.make);
        callable(make_name, None, ty, make_cost);
        let via_cost = rank_cost + make_cost + twice_cost + 4;
        callable(names.via.clone(), Some(ty), &Ty::I64, via_cost);
        format!(
            "impl {of_trait} for {text} {{ const N: i64 = {constant}; {rank} {make} {twice} }}\n"
        )
    }

    /// A function of an implementation, with a receiver of this type if it has one; and what a call
    /// of it costs.
    fn trait_function(&mut self, name: &str, receiver: Option<&Ty>, ret: &Ty) -> (String, u32) {
        self.scope = Scope::new(ret.clone());
        self.left = HELPER / 2;
        self.has_loop = false;
        if let Some(ty) = receiver {
            self.declare("self", ty, false);
        }
        self.declare("x", &Ty::I64, false);
        let body = self.function_body(ret, 1);
        let attribute = if self.has_loop { "#[unroll_safe] " } else { "" };
        let receiver = if receiver.is_some() { "self, " } else { "" };
        (
            format!(
                "{attribute}fn {name}({receiver}x: i64) -> {} {{ {body} }}",
                ret.text()
            ),
            HELPER / 2 - self.left + 2,
        )
    }
}
