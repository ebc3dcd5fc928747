//! The operations of a trace as lines, by their places in the trace, to annotate machine code.

use verdigris_ops::Descrs;
use verdigris_trace::OptimisedTrace;

/// The first line of each operation's text.
pub fn lines(descrs: &Descrs, trace: &OptimisedTrace) -> Vec<String> {
    let text = verdigris_trace::print(descrs, trace);
    let lines: Vec<String> = heads(&text).map(|(_, line)| line.to_owned()).collect();
    assert_eq!(
        lines.len(),
        trace.ops().len(),
        "each operation has one line"
    );
    lines
}

/// Where operations begin in a trace's text: the number of the line, from 1, and the line.
pub fn heads(text: &str) -> impl Iterator<Item = (u32, &str)> {
    // The inputs come first; what belongs to a guard is indented.
    let lines = (1..).zip(text.lines()).skip(1);
    lines.filter(|(_, line)| !line.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdigris_trace::parse;

    #[test]
    fn an_operation_is_one_line_whatever_its_exit_says() {
        let descrs = Descrs::default();
        let text = "[i0]
            label L0(i0)
            i1 = int_gt(i0, 0)
            guard_true(i1) g0 -> [i0] @
            i2 = int_sub(i0, 1)
            jump L0(i2)";
        let trace = parse(&descrs, text).unwrap();
        let expected = [
            "label L0(i0)",
            "i1 = int_gt(i0, 0)",
            "guard_true(i1) g0",
            "i2 = int_sub(i0, 1)",
            "jump L0(i2)",
        ];
        assert_eq!(lines(&descrs, &trace), expected);
    }
}
