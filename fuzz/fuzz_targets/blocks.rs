//! Runs the functions of `src/blocks.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    endmill_fuzz::block(bytes);
});
