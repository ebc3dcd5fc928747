//! Strings against Rust's. In: random text and positions. Out: equal results and panics, also in a
//! heap that collects at every allocation.

#![forbid(unsafe_code)]

use crate::quiet;
use proptest::prelude::*;
use verdigris::library::prelude::*;
use verdigris_heap::{HeapOptions, Stress, with_heap};

fn in_both_heaps(test: impl Fn()) {
    for stress in Stress::KINDS {
        let options = HeapOptions {
            stress,
            ..HeapOptions::default()
        };
        with_heap(options, &test);
    }
}

/// The result, or none for a panic.
fn attempt<R>(f: impl FnOnce() -> R) -> Option<R> {
    quiet::attempt(f).ok()
}

fn sign(order: std::cmp::Ordering) -> i64 {
    order as i64
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn text_is_like_rusts(a in "[aäß€😀b]{0,9}", b in "[aäß€😀b]{0,3}", i in 0usize..12, j in 0usize..12) {
        in_both_heaps(|| {
            let (x, y) = (Str::new(&a), Str::new(&b));
            assert_eq!((x.as_str(), x.len(), x.is_empty()), (&*a, a.len(), a.is_empty()));
            assert_eq!(x.char_count(), a.chars().count());
            assert_eq!(x.same(y), a == b);
            assert!(x.same(Str::new(&a)) && x.hash() == Str::new(&a).hash());
            assert_eq!(x.compare(y), sign(a.cmp(&b)));
            assert_eq!(x.precedes(y), a < b);
            assert_eq!(x.concat(y).as_str(), format!("{a}{b}"));
            let from = (i..a.len()).find(|&i| a.is_char_boundary(i)).unwrap_or(a.len());
            let wanted = if i > a.len() { None } else { a[from..].find(&b).map(|n| n + from) };
            assert_eq!(x.find(y, i), wanted);
            assert_eq!(attempt(|| x.slice(i, j).as_str().to_owned()), attempt(|| a[i..j].to_owned()));
            assert_eq!(attempt(|| x.byte_at(i)), a.as_bytes().get(i).copied());
            let c = a.get(i..).and_then(|rest| rest.chars().next());
            assert_eq!(attempt(|| x.char_at(i)), c);
            assert_eq!(x.to_bytes().as_slice(), a.as_bytes());
        });
    }

    #[test]
    fn bytes_are_like_slices(
        a in prop::collection::vec(0u8..4, 0..20),
        b in prop::collection::vec(0u8..4, 0..3),
        i in 0usize..22,
        j in 0usize..22,
    ) {
        in_both_heaps(|| {
            let (x, y) = (Bytes::new(&a), Bytes::new(&b));
            assert_eq!((x.as_slice(), x.len(), x.is_empty()), (&*a, a.len(), a.is_empty()));
            assert_eq!(x.same(y), a == b);
            assert!(x.same(Bytes::new(&a)));
            assert_eq!(x.compare(y), sign(a.cmp(&b)));
            assert_eq!(x.precedes(y), a < b);
            assert_eq!(x.concat(y).as_slice(), [&*a, &*b].concat());
            let wanted = (i..=a.len()).find(|&at| a[at..].starts_with(&b));
            assert_eq!(x.find(y, i), wanted);
            assert_eq!(attempt(|| x.slice(i, j).as_slice().to_vec()), attempt(|| a[i..j].to_vec()));
            assert_eq!(attempt(|| x.at(i)), a.get(i).copied());
        });
    }

    #[test]
    fn builders_append(parts in prop::collection::vec((0u8..6, any::<i64>(), any::<f64>(), any::<char>()), 0..30)) {
        in_both_heaps(|| {
            let builder = StrBuilder::new();
            let mut wanted = String::new();
            for &(kind, n, x, c) in &parts {
                match kind {
                    0 => {
                        builder.push_int(n);
                        wanted += &n.to_string();
                    }
                    1 => {
                        builder.push_float(x);
                        wanted += &x.to_string();
                    }
                    2 => {
                        builder.push_char(c);
                        wanted.push(c);
                    }
                    3 => {
                        builder.push_str(Str::new("äh"));
                        wanted += "äh";
                    }
                    4 => {
                        builder.push_bytes(Bytes::new(b"-+-"));
                        wanted += "-+-";
                    }
                    _ => {
                        builder.push_byte(b'.');
                        wanted.push('.');
                    }
                }
                assert_eq!(builder.len(), wanted.len());
            }
            assert_eq!(builder.finish().as_str(), wanted);
            assert_eq!(builder.finish_bytes().as_slice(), wanted.as_bytes());
        });
    }
}

#[test]
fn what_is_not_text_is_not_finished() {
    with_heap(HeapOptions::default(), || {
        let builder = StrBuilder::new();
        builder.push_byte(b'a');
        builder.push_byte(0xC3);
        assert!(attempt(|| builder.finish().len()).is_none());
        builder.push_byte(0xA4);
        assert_eq!(builder.finish().as_str(), "aä");
        builder.truncate(1);
        builder.truncate(5);
        assert_eq!(builder.finish().as_str(), "a");
    });
}

#[test]
fn lists_of_strings_are_sorted() {
    in_both_heaps(|| {
        let list = List::new();
        for word in ["pear", "äpfel", "fig", "", "figs"] {
            list.push(Str::new(word));
        }
        list.sort();
        let sorted: Vec<String> = list.iter().map(|s| s.as_str().to_owned()).collect();
        assert_eq!(sorted, ["", "fig", "figs", "pear", "äpfel"]);
    });
}
