//! Decoders made by hand: the words of records are those of the position's own greens, and a
//! position for which a decision differs has no record.

use super::*;
use verdigris_ops::ClassId;

/// Loads give the sum of their arguments. Functions double their first argument and count on from
/// it, and panic at 13. The class of an object is its last digit; null has none.
#[derive(Default)]
struct Answers {
    calls: usize,
}

impl Host for Answers {
    fn load(&mut self, _: DataOp, args: &[u64], _: Descr) -> u64 {
        args.iter().sum()
    }

    fn call(&mut self, _: FnId, args: &[u64]) -> Option<Vec<u64>> {
        self.calls += 1;
        (args[0] != 13).then(|| vec![2 * args[0], args[0] + 1])
    }

    fn is_object(&mut self, _: u64) -> bool {
        false
    }

    fn class_of(&self, object: u64) -> Option<ClassId> {
        (object != 0).then(|| ClassId::from_u32(object as u32 % 10))
    }
}

/// The first result of a call of the one function that there is.
fn call(decoder: &mut Decoder, args: &[DecodeInput], types: &[Ty]) -> Green {
    decoder.call(FnId::from_u32(0), args, types)
}

/// For places with two integers and an object.
fn decoder() -> (Decoder, [DecodeInput; 3]) {
    let greens = [0, 1, 2].map(|n| DecodeInput::Green(Decoder::green(n)));
    (Decoder::new(&[Ty::Int, Ty::Int, Ty::Ref]), greens)
}

fn add(decoder: &mut Decoder, x: DecodeInput, y: DecodeInput) -> Green {
    decoder.data(DataOp::IntAdd, &[x, y], Descr::None, Ty::Int)
}

fn decode(decoder: &Decoder, greens: [u64; 3]) -> Option<Decoded> {
    decoder.decode(&greens, &mut Answers::default())
}

#[test]
fn the_greens_are_in_the_record_by_themselves() {
    let (decoder, _) = decoder();
    let decoded = decode(&decoder, [5, 6, 7]).expect("nothing is decided");
    let greens = [(2, 5, Ty::Int), (3, 6, Ty::Int), (4, 7, Ty::Ref)];
    assert_eq!(decoded.holes, greens);
    assert_eq!(decoded.successors, []);
    assert_eq!(decoder.record_len(), 5);
    assert_eq!(decoder.chosen(), None);
    assert_eq!(
        decoder.first_choice(&[5, 6, 7], &mut Answers::default()),
        None
    );
}

#[test]
fn the_same_step_gives_its_value_once() {
    let (mut decoder, [x, y, object]) = decoder();
    let sum = add(&mut decoder, x, y);
    let next = add(&mut decoder, DecodeInput::Green(sum), DecodeInput::Word(1));
    assert_eq!(add(&mut decoder, x, y), sum);
    assert_ne!(add(&mut decoder, y, x), sum);
    assert_ne!(
        add(&mut decoder, DecodeInput::Green(sum), DecodeInput::Word(2)),
        next
    );
    let pair = call(&mut decoder, &[x], &[Ty::Int, Ty::Int]);
    assert_eq!(call(&mut decoder, &[x], &[Ty::Int, Ty::Int]), pair);
    // Both results of the call are values, so the next one comes behind them.
    let class = decoder.class(object);
    assert_eq!(Decoder::behind(pair, 2), class);
    assert_eq!(decoder.class(object), class);
    decoder.hole(Decoder::behind(pair, 1));
    let mut host = Answers::default();
    let decoded = decoder
        .decode(&[3, 4, 5], &mut host)
        .expect("nothing is decided");
    assert_eq!((decoded.holes[3].1, host.calls), (4, 1));
}

#[test]
fn holes_hold_what_the_steps_give() {
    let (mut decoder, [x, y, object]) = decoder();
    let sum = add(&mut decoder, x, y);
    let item = DataOp::GetItemF;
    let loaded = decoder.data(
        item,
        &[object, DecodeInput::Green(sum)],
        Descr::None,
        Ty::Float,
    );
    let first = call(
        &mut decoder,
        &[DecodeInput::Green(sum), y],
        &[Ty::Int, Ty::Ref],
    );
    let second = Decoder::behind(first, 1);
    let class = decoder.class(DecodeInput::Word(48));
    let of = |decoder: &mut Decoder| [loaded, second, class, first].map(|v| decoder.hole(v));
    assert_eq!(of(&mut decoder), [5, 6, 7, 8]);
    // A value has one word, and a green the one that it has anyway.
    assert_eq!(of(&mut decoder), [5, 6, 7, 8]);
    assert_eq!(decoder.hole(Decoder::green(1)), 3);
    assert_eq!(decoder.record_len(), 9);
    let holes = |greens| decode(&decoder, greens).expect("nothing is decided").holes;
    let behind = [
        (5, 130, Ty::Float),
        (6, 31, Ty::Ref),
        (7, 8, Ty::Int),
        (8, 60, Ty::Int),
    ];
    assert_eq!(holes([10, 20, 100])[3..], behind);
    let behind = [
        (5, 3, Ty::Float),
        (6, 4, Ty::Ref),
        (7, 8, Ty::Int),
        (8, 6, Ty::Int),
    ];
    assert_eq!(holes([1, 2, 0])[3..], behind);
}

#[test]
fn successors_have_words_between_the_holes() {
    let (mut decoder, [x, y, object]) = decoder();
    let sum = DecodeInput::Green(add(&mut decoder, x, y));
    let next = [sum, DecodeInput::Word(9), object];
    assert_eq!(decoder.successor(&next), 5);
    let doubled = call(&mut decoder, &[y], &[Ty::Int, Ty::Int]);
    assert_eq!(decoder.hole(doubled), 6);
    assert_eq!(decoder.successor(&[x, y, object]), 7);
    assert_eq!(decoder.successor(&next), 5);
    assert_eq!(decoder.record_len(), 8);
    let decoded = decode(&decoder, [1, 2, 3]).expect("nothing is decided");
    assert_eq!(decoded.holes[3..], [(6, 4, Ty::Int)]);
    assert_eq!(decoded.successors, [(5, vec![3, 9, 3]), (7, vec![1, 2, 3])]);
}

#[test]
fn places_that_differ_in_what_was_decided_are_refused() {
    let accepts = |test: DecodeTest, x: u64| {
        let (mut decoder, [_, y, _]) = decoder();
        let sum = add(&mut decoder, y, DecodeInput::Word(1));
        decoder.expect(sum, test);
        decode(&decoder, [100, x - 1, 100]).is_some()
    };
    let others = || DecodeTest::IsNot([3, 5].into());
    assert_eq!(
        [2, 3, 4].map(|x| accepts(DecodeTest::Is(3), x)),
        [false, true, false]
    );
    assert_eq!(
        [3, 4, 5].map(|x| accepts(others(), x)),
        [false, true, false]
    );
    let nothing = u64::MAX.wrapping_add(2);
    assert_eq!(
        [nothing, 2].map(|x| accepts(DecodeTest::Holds(true), x)),
        [true, true]
    );
    assert_eq!(
        [nothing, 2].map(|x| accepts(DecodeTest::Holds(false), x)),
        [false, false]
    );
}

#[test]
fn whether_something_holds_is_whether_it_is_nothing() {
    for holds in [true, false] {
        let (mut decoder, _) = decoder();
        decoder.expect(Decoder::green(0), DecodeTest::Holds(holds));
        assert_eq!(decode(&decoder, [0, 1, 1]).is_some(), !holds);
        assert_eq!(decode(&decoder, [7, 0, 0]).is_some(), holds);
    }
}

/// All that is decided has to hold, in whatever order it was.
#[test]
fn a_place_has_to_satisfy_every_test() {
    let (mut decoder, [x, _, _]) = decoder();
    decoder.expect(Decoder::green(0), DecodeTest::IsNot([1, 2].into()));
    let next = add(&mut decoder, x, DecodeInput::Word(1));
    decoder.expect(next, DecodeTest::IsNot([4].into()));
    decoder.expect(Decoder::green(1), DecodeTest::Is(8));
    // Once more changes nothing.
    decoder.expect(Decoder::green(0), DecodeTest::IsNot([1, 2].into()));
    let accepted = |x, y| decode(&decoder, [x, y, 0]).is_some();
    assert_eq!(
        [1, 2, 3, 4].map(|x| accepted(x, 8)),
        [false, false, false, true]
    );
    assert!(!accepted(4, 9));
}

#[test]
fn the_first_choice_is_the_first_word_that_is_asked_for() {
    let (mut decoder, [x, y, object]) = decoder();
    decoder.expect(Decoder::green(0), DecodeTest::Holds(true));
    let code = decoder.data(DataOp::GetItemI, &[object, x], Descr::None, Ty::Int);
    decoder.expect(code, DecodeTest::Is(30));
    call(&mut decoder, &[y], &[Ty::Int, Ty::Int]);
    decoder.expect(Decoder::green(1), DecodeTest::Is(8));
    let choice = |word| Some(Choice { value: code, word });
    assert_eq!(decoder.chosen(), choice(30));
    // It is found for places that have other code, and what comes behind it is not done for that.
    let mut host = Answers::default();
    assert_eq!(decoder.first_choice(&[10, 8, 20], &mut host), choice(30));
    assert_eq!(decoder.first_choice(&[11, 13, 20], &mut host), choice(31));
    assert_eq!(host.calls, 0);
    // Whether there is a word at all may be decided before.
    assert_eq!(decoder.first_choice(&[0, 8, 20], &mut host), None);
    assert!(decode(&decoder, [10, 8, 20]).is_some());
    assert_eq!(decode(&decoder, [11, 8, 20]), None);
}

#[test]
fn what_is_refused_is_no_choice() {
    let (mut decoder, _) = decoder();
    decoder.expect(Decoder::green(1), DecodeTest::IsNot([1].into()));
    assert_eq!(decoder.chosen(), None);
    let greens = [4, 6, 0];
    assert_eq!(decoder.first_choice(&greens, &mut Answers::default()), None);
}

/// What cannot be done for a place, its code does not do either: the place has other code, which
/// does not begin with that.
#[test]
fn what_cannot_be_done_is_refused() {
    let (mut decoder, [x, _, object]) = decoder();
    call(&mut decoder, &[x], &[Ty::Int, Ty::Int]);
    decoder.class(object);
    decoder.expect(Decoder::green(0), DecodeTest::Holds(true));
    assert!(decode(&decoder, [12, 1, 1]).is_some());
    // The function panics, and null has no class.
    for greens in [[13, 1, 1], [12, 1, 0]] {
        assert_eq!(decode(&decoder, greens), None);
        assert_eq!(decoder.first_choice(&greens, &mut Answers::default()), None);
    }
}

/// Earlier decisions keep positions from steps that are not for them.
#[test]
fn steps_behind_a_test_are_done_where_it_holds() {
    let (mut decoder, [x, _, _]) = decoder();
    decoder.expect(Decoder::green(0), DecodeTest::IsNot([13].into()));
    call(&mut decoder, &[x], &[Ty::Int, Ty::Int]);
    let mut host = Answers::default();
    assert_eq!(decoder.decode(&[13, 0, 0], &mut host), None);
    assert_eq!(host.calls, 0);
}
