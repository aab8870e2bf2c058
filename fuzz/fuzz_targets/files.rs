//! See the library.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    endmill_fuzz::file(bytes);
    endmill_fuzz::manifest(bytes);
});
