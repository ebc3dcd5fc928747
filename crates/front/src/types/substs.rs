//! Substitutions: what generic parameters stand for.
//!
//! In: types for the parameters of an item. Out: a [`Subst`], which says what the parameters' names
//! and `Self` mean in one instance of the item. Invariant: equal substitutions without holes have
//! the same identity, so an instance is found by hash.

use crate::cx::sources::RefKind;
use crate::types::generics::SubstId;
use crate::types::infer::Infer;
use crate::types::ty::Ty;
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What parameters and `Self` mean.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Subst {
    pub args: Vec<(String, Ty)>,
    /// `Self`; none where the `impl` block says it.
    pub this: Option<Ty>,
    /// The references around what a parameter or `Self` stands for, from the outside in, where that
    /// may decide which implementation is meant and the source says it.
    pub around: Vec<(String, Vec<RefKind>)>,
}

impl Subst {
    pub fn get(&self, name: &str) -> Option<&Ty> {
        self.args.iter().rev().find(|a| a.0 == name).map(|a| &a.1)
    }

    fn types(&self) -> impl Iterator<Item = &Ty> {
        self.args.iter().map(|a| &a.1).chain(&self.this)
    }

    /// Whether all of it is known.
    pub fn is_closed(&self) -> bool {
        !self.types().any(Ty::has_holes)
    }

    /// With what is known of the holes.
    pub fn deep(&self, infer: &Infer) -> Subst {
        Subst {
            args: self
                .args
                .iter()
                .map(|(name, ty)| (name.clone(), infer.deep(ty)))
                .collect(),
            this: self.this.as_ref().map(|ty| infer.deep(ty)),
            around: self.around.clone(),
        }
    }
}

/// The substitutions that have been asked for.
#[derive(Clone)]
pub(crate) struct Substs {
    all: PrimaryMap<SubstId, Rc<Subst>>,
    ids: FxHashMap<Rc<Subst>, SubstId>,
}

impl Substs {
    pub fn new() -> Substs {
        let mut substs = Substs {
            all: PrimaryMap::new(),
            ids: FxHashMap::default(),
        };
        substs.intern(Subst::default());
        substs
    }

    /// The identity of a substitution.
    pub fn intern(&mut self, subst: Subst) -> SubstId {
        if let Some(&id) = self.ids.get(&subst) {
            return id;
        }
        let subst = Rc::new(subst);
        let id = self.all.push(subst.clone());
        // Holes mean something in one function only.
        if subst.is_closed() {
            self.ids.insert(subst, id);
        }
        id
    }

    pub fn get(&self, id: SubstId) -> &Rc<Subst> {
        &self.all[id]
    }
}
