#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| littlestone_fuzz::fuzz("mechanism_table", bytes));
