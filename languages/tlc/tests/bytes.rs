//! Code that no assembler made. In: random bytes. Out: a result or a message. Invariant: nothing
//! crashes. (Random programs that are well formed are in the crate `fuzz`.)

use crate::common::{guest, printed};
use proptest::prelude::*;
use tlc::image::Image;
use verdigris::Options;

proptest! {
    #[test]
    fn random_bytes_never_crash(code in prop::collection::vec(prop_oneof![9 => 0..36u8, 1 => any::<u8>()], 0..30)) {
        // Without backward branches and calls, so that every program ends.
        let ends = |byte: &u8| ![18, 19, 20, 31, 35].contains(byte);
        let image = Image { code: code.into_iter().filter(ends).collect(), file: "bytes".to_string(), ..Image::default() };
        let options = Options::parse("threshold=1,heap_limit=4m").expect("it can be parsed");
        let text = printed(guest(&image, &[3], 200)(options).outcome);
        prop_assert!(text.contains("bytes: pc ") || !text.contains("status"), "{}", text);
    }
}
