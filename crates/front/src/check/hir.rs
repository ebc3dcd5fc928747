//! A function while its types are being inferred: as [`crate::tast`], but types have holes,
//! literals have no type yet, and strict operations are one kind.
//!
//! In: the checker. Out: [`crate::check::finish`] turns it into the typed program. Invariant:
//! operands of an [`Op`] are evaluated in order.

use crate::tast::{BinOp, Intrinsic, LocalId, LocalPlace, LoopId, Span, UnOp};
use crate::types::ty::Ty;
use verdigris_ops::{ClassId, FieldId, FnId};

pub(crate) struct Expr {
    pub kind: Kind,
    pub ty: Ty,
    pub span: Span,
}

/// An operation that evaluates all its operands first.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Op {
    Binary(BinOp),
    Unary(UnOp),
    Cast,
    Coerce,
    /// Of this variant; the fields of the operands.
    Make(u32, Vec<u32>),
    Part(u32),
    /// Of this variant, the field.
    Payload(u32, u32),
    Tag,
    Intrinsic(Intrinsic),
    GetField(FieldId),
    SetField(FieldId),
    GetItem,
    SetItem,
    ArrayLen,
    New(ClassId, Vec<FieldId>),
    /// An object of the class in the expression's type, with these of its fields, by number.
    NewOf(Vec<u32>),
    /// A field by number, of an object of the class in the operand's type.
    GetFieldOf(u32),
    /// An array of items without a value; the class is in the expression's type.
    NewVacant,
    /// Takes an array's item its value away.
    Vacate,
    /// The class is in the expression's type.
    NewArray,
    /// With what is lent to it.
    Call(crate::tast::FuncId, Vec<LocalPlace>),
    CallFn(FnId),
    /// A call whose callee is found at the end.
    Pending(usize),
    Promote,
    /// `is_virtual(x)` if true, else `is_constant(x)`.
    Ask(bool),
    Concrete,
    Kind,
    /// A call that panics with the message that the macro call makes of the operands.
    Message(std::rc::Rc<crate::check::hir::Message>),
}

pub(crate) enum Kind {
    /// Something that has been complained about.
    Error,
    /// An integer literal.
    Lit(u128),
    /// A constant, in the range of its type.
    Value(i64),
    Float(f64),
    Unit,
    Local(LocalId),
    Let(LocalId, Box<Expr>),
    Declare(LocalId),
    Assign(LocalId, Box<Expr>),
    AssignPart(LocalPlace, Box<Expr>),
    Op(Op, Vec<Expr>),
    AndAlso(Box<Expr>, Box<Expr>),
    OrElse(Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Match(Box<Expr>, Vec<Arm>),
    Loop {
        id: LoopId,
        body: Box<Expr>,
        once: bool,
    },
    Break(LoopId, Option<Box<Expr>>),
    Continue(LoopId),
    Return(Option<Box<Expr>>),
    Block(Vec<Expr>),
    Panic(String),
    MergePoint {
        greens: Vec<LocalId>,
        reds: Vec<LocalId>,
    },
    CanEnterJit(LoopId),
}

pub(crate) struct Arm {
    pub pat: Pat,
    pub guard: Option<Expr>,
    pub body: Expr,
}

pub(crate) struct Pat {
    pub kind: PatKind,
    pub span: Span,
}

pub(crate) enum PatKind {
    /// Something that has been complained about.
    Error,
    Wild,
    Bind(LocalId, Option<Box<Pat>>),
    Int(End),
    /// An open end is `None`. `true` if the upper end is included.
    Range(Option<End>, Option<End>, bool),
    Or(Vec<Pat>),
    Class(ClassId, Option<LocalId>),
    Variant(u32, Vec<Pat>),
}

/// An integer in a pattern.
#[derive(Clone, Copy)]
pub(crate) enum End {
    /// A literal; `true` if negative.
    Lit(bool, u128),
    /// A constant.
    Value(i64),
}

impl Expr {
    pub fn new(kind: Kind, ty: Ty, span: Span) -> Expr {
        Expr { kind, ty, span }
    }

    pub fn error(span: Span) -> Expr {
        Expr::new(Kind::Error, Ty::Error, span)
    }

    pub fn unit(span: Span) -> Expr {
        Expr::new(Kind::Unit, Ty::Unit, span)
    }

    pub fn op(op: Op, operands: Vec<Expr>, ty: Ty, span: Span) -> Expr {
        Expr::new(Kind::Op(op, operands), ty, span)
    }

    pub fn local(local: LocalId, ty: Ty, span: Span) -> Expr {
        Expr::new(Kind::Local(local), ty, span)
    }

    /// `let local = value;`
    pub fn bind(local: LocalId, value: Expr) -> Expr {
        let span = value.span;
        Expr::new(Kind::Let(local, Box::new(value)), Ty::Unit, span)
    }

    pub fn assign(local: LocalId, value: Expr) -> Expr {
        let span = value.span;
        Expr::new(Kind::Assign(local, Box::new(value)), Ty::Unit, span)
    }

    /// A statement list whose value is that of the last one.
    pub fn block(list: Vec<Expr>, ty: Ty, span: Span) -> Expr {
        Expr::new(Kind::Block(list), ty, span)
    }

    pub fn panic(message: &str, span: Span) -> Expr {
        Expr::new(Kind::Panic(message.to_owned()), Ty::Never, span)
    }

    pub fn if_else(cond: Expr, then: Expr, other: Expr, ty: Ty, span: Span) -> Expr {
        let parts = (Box::new(cond), Box::new(then), Box::new(other));
        Expr::new(Kind::If(parts.0, parts.1, parts.2), ty, span)
    }

    /// Whether this is a number or nothing.
    pub fn is_constant(&self) -> bool {
        matches!(
            self.kind,
            Kind::Error | Kind::Lit(_) | Kind::Value(_) | Kind::Float(_) | Kind::Unit
        )
    }

    /// Whether evaluating this gives a value and has no other effect: it neither changes anything
    /// nor panics. It reads the heap only if it `may_read`.
    pub fn is_plain(&self, may_read: bool) -> bool {
        self.consists_of(&|op| match op {
            Op::Binary(op) => !matches!(op, BinOp::Div | BinOp::Rem),
            Op::GetField(_) | Op::GetFieldOf(_) | Op::ArrayLen => may_read,
            op => op.is_pure(),
        })
    }

    /// Whether evaluating this changes nothing. It may panic.
    pub fn changes_nothing(&self) -> bool {
        self.consists_of(&|op| match op {
            Op::Binary(_) | Op::Intrinsic(_) => true,
            Op::GetField(_) | Op::GetFieldOf(_) | Op::GetItem | Op::ArrayLen => true,
            op => op.is_pure(),
        })
    }

    /// Whether this is made of locals, constants, branches and such operations.
    fn consists_of(&self, allowed: &dyn Fn(&Op) -> bool) -> bool {
        let inside = |e: &Expr| e.consists_of(allowed);
        match &self.kind {
            Kind::Local(_) => true,
            Kind::Op(op, operands) => allowed(op) && operands.iter().all(inside),
            Kind::AndAlso(a, b) | Kind::OrElse(a, b) => inside(a) && inside(b),
            Kind::If(cond, then, other) => inside(cond) && inside(then) && inside(other),
            _ => self.is_constant(),
        }
    }

    /// Whether evaluating this can change a local variable.
    pub fn assigns(&self) -> bool {
        match &self.kind {
            Kind::Error
            | Kind::Lit(_)
            | Kind::Value(_)
            | Kind::Float(_)
            | Kind::Unit
            | Kind::Local(_) => false,
            Kind::Op(Op::Call(_, lent), _) if !lent.is_empty() => true,
            // It may be one that gets a variable lent.
            Kind::Op(Op::Pending(_), _) => true,
            Kind::Op(_, operands) => operands.iter().any(Expr::assigns),
            _ => true,
        }
    }
}

impl Op {
    /// Whether it does nothing to values but take them apart and put them together.
    fn is_pure(&self) -> bool {
        use Op::{Cast, Coerce, Make, Part, Payload, Tag, Unary};
        matches!(
            self,
            Unary(_) | Cast | Coerce | Make(..) | Part(_) | Payload(..) | Tag
        )
    }
}

/// A macro call that panics.
#[derive(PartialEq, Debug)]
pub(crate) struct Message {
    /// The macro's path.
    pub path: &'static str,
    pub args: Vec<Arg>,
}

#[derive(PartialEq, Debug)]
pub(crate) enum Arg {
    /// As it is written.
    Text(String),
    /// The next value, by this name if it has one.
    Value(Option<String>),
}

impl Message {
    /// The macro call with these expressions as the values.
    pub fn text(&self, values: &[String]) -> String {
        let mut values = values.iter();
        let args = self.args.iter().map(|arg| match arg {
            Arg::Text(text) => text.clone(),
            Arg::Value(None) => values.next().cloned().unwrap_or_default(),
            Arg::Value(Some(name)) => {
                format!("{name} = {}", values.next().map_or("", |v| v.as_str()))
            }
        });
        format!("{}!({})", self.path, args.collect::<Vec<_>>().join(", "))
    }
}
