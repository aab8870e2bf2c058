//! Runs the functions of `src/texts.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    endmill_fuzz::text(bytes);
});
