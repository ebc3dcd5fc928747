//! What `Result` has, in the subset. In: results, values, closures. Out: results, options and
//! values. Invariant: closures are called where Rust calls them, once at most.

fn ok<T, E>(this: Result<T, E>) -> Option<T> {
    match this {
        Ok(x) => Some(x),
        Err(_) => None,
    }
}

fn err<T, E>(this: Result<T, E>) -> Option<E> {
    match this {
        Ok(_) => None,
        Err(e) => Some(e),
    }
}

fn map<T, E, U>(this: Result<T, E>, f: impl FnOnce(T) -> U) -> Result<U, E> {
    match this {
        Ok(x) => Ok(f(x)),
        Err(e) => Err(e),
    }
}

fn map_err<T, E, F>(this: Result<T, E>, f: impl FnOnce(E) -> F) -> Result<T, F> {
    match this {
        Ok(x) => Ok(x),
        Err(e) => Err(f(e)),
    }
}

fn map_or<T, E, U>(this: Result<T, E>, other: U, f: impl FnOnce(T) -> U) -> U {
    match this {
        Ok(x) => f(x),
        Err(_) => other,
    }
}

fn map_or_else<T, E, U>(this: Result<T, E>, other: impl FnOnce(E) -> U, f: impl FnOnce(T) -> U) -> U {
    match this {
        Err(e) => other(e),
        Ok(x) => f(x),
    }
}

fn inspect<T, E>(this: Result<T, E>, f: impl FnOnce(&T)) -> Result<T, E> {
    if let Ok(x) = this {
        f(&x);
    }
    this
}

fn inspect_err<T, E>(this: Result<T, E>, f: impl FnOnce(&E)) -> Result<T, E> {
    if let Err(e) = this {
        f(&e);
    }
    this
}

fn is_ok_and<T, E>(this: Result<T, E>, f: impl FnOnce(T) -> bool) -> bool {
    match this {
        Ok(x) => f(x),
        Err(_) => false,
    }
}

fn is_err_and<T, E>(this: Result<T, E>, f: impl FnOnce(E) -> bool) -> bool {
    match this {
        Ok(_) => false,
        Err(e) => f(e),
    }
}

fn and<T, E, U>(this: Result<T, E>, other: Result<U, E>) -> Result<U, E> {
    match this {
        Ok(_) => other,
        Err(e) => Err(e),
    }
}

fn and_then<T, E, U>(this: Result<T, E>, f: impl FnOnce(T) -> Result<U, E>) -> Result<U, E> {
    match this {
        Ok(x) => f(x),
        Err(e) => Err(e),
    }
}

fn or<T, E, F>(this: Result<T, E>, other: Result<T, F>) -> Result<T, F> {
    match this {
        Ok(x) => Ok(x),
        Err(_) => other,
    }
}

fn or_else<T, E, F>(this: Result<T, E>, f: impl FnOnce(E) -> Result<T, F>) -> Result<T, F> {
    match this {
        Ok(x) => Ok(x),
        Err(e) => f(e),
    }
}

fn flatten<T, E>(this: Result<Result<T, E>, E>) -> Result<T, E> {
    match this {
        Ok(inner) => inner,
        Err(e) => Err(e),
    }
}

fn transpose<T, E>(this: Result<Option<T>, E>) -> Option<Result<T, E>> {
    match this {
        Ok(Some(x)) => Some(Ok(x)),
        Ok(None) => None,
        Err(e) => Some(Err(e)),
    }
}

fn unwrap_or<T, E>(this: Result<T, E>, other: T) -> T {
    match this {
        Ok(x) => x,
        Err(_) => other,
    }
}

fn unwrap_or_else<T, E>(this: Result<T, E>, f: impl FnOnce(E) -> T) -> T {
    match this {
        Ok(x) => x,
        Err(e) => f(e),
    }
}

fn unwrap_or_default<T: Default, E>(this: Result<T, E>) -> T {
    match this {
        Ok(x) => x,
        Err(_) => T::default(),
    }
}
