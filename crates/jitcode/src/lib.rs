//! Jitcode: the register bytecode that the tracer and the blackhole interpreter execute.
//!
//! Every function of the interpreter that the JIT can look into has a [`JitCode`]. The build-time
//! lowering produces them; they are shipped in the interpreter's binary as bytes
//! ([`Unit::to_bytes`], [`Unit::open`]), and each is read when it is first needed.
//!
//! Invariants ([`verify`] checks them): a program counter is an index in [`JitCode::insns`]; the
//! last instruction does not fall through; an operand's type is the one its instruction wants;
//! every instruction that can become a guard, and every instruction after a call, has its live
//! registers in [`JitCode::live`].

#![forbid(unsafe_code)]

mod code;
mod codes;
mod flow;
mod text;
mod unit;
mod verify;

pub use code::{
    CallTarget, CodeConst, CodeId, Insn, JitCode, Opnd, Pc, Question, Reg, SwitchTable,
};
pub use codes::Codes;
pub use flow::liveness;
pub use text::{parse, print, print_insn, print_unit};
pub use unit::{PortalShape, Unit, UnitError};
pub use verify::{JitCodeVerifyError, verify};
