//! A name that looks like one of a macro; in a text, ꙮ is what it is.

#[portal]
fn run(n: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [n]);
        let text = "ꙮ";
        let xꙮ1 = n;
        return xꙮ1;
    }
}
