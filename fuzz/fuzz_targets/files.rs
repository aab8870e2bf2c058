//! Runs the functions of `src/files.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    endmill_fuzz::file(bytes);
    endmill_fuzz::manifest(bytes);
});
