//! The heap of a program that links this crate: its live bytes are counted, for limits on memory.
//!
//! The exact numbers allocate all the time, so every step of this has to be inlined. A crate of its
//! own is optimised for that, where the command line is not, and leaves the allocator of programs that
//! use the libraries alone.

use std::alloc::System;

use cap::Cap;

/// It refuses nothing itself: an allocation that fails aborts.
#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

/// The bytes that are allocated now.
pub fn live() -> u64 {
    u64::try_from(HEAP.allocated()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::live;

    #[test]
    fn what_is_allocated_is_counted_until_it_is_freed() {
        let before = live();
        let bytes = vec![1u8; 1 << 24];
        assert!(live() >= before + (1 << 24));
        drop(bytes);
        assert!(live() < before + (1 << 24));
    }
}
