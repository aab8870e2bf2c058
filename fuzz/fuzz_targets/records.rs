//! Runs the functions of `src/records.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    endmill_fuzz::record(bytes);
});
