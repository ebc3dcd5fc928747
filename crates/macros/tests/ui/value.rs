#[value(8)]
struct Args(i64);

#[value]
struct Generic<T>(T);

#[value]
enum Nothing {}

#[value]
enum Sometimes {
    Always(#[cfg(unix)] i64),
    #[cfg(test)]
    Never,
}

#[value]
fn function() {}
