//! The floating-point environment. In: work on floats. Out: the same, in the default environment, which
//! Rust code and exact results need, whatever the caller has set.

/// Runs `work` with rounding to nearest, denormals kept and exceptions masked, and puts the caller's
/// settings back. Looking costs less than a nanosecond; only settings that differ are switched.
pub(crate) fn with_default<R>(work: impl FnOnce() -> R) -> R {
    let _restore = imp::Restore::set_default();
    work()
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod imp {
    use std::arch::asm;

    /// All exceptions masked, to nearest, no flushing.
    const DEFAULT: u32 = 0x1f80;
    /// The sticky flags say what happened, and set nothing.
    const STICKY: u32 = 0x003f;

    /// Puts back what was set before, on every way out.
    pub(super) struct Restore(Option<u32>);

    impl Restore {
        pub(super) fn set_default() -> Restore {
            let found = read();
            if found & !STICKY == DEFAULT {
                return Restore(None);
            }
            load(DEFAULT | found & STICKY);
            Restore(Some(found))
        }
    }

    impl Drop for Restore {
        fn drop(&mut self) {
            if let Some(found) = self.0 {
                // What happened in between has happened, as where nothing had to be switched.
                load(found | read() & STICKY);
            }
        }
    }

    fn read() -> u32 {
        let mut found = 0u32;
        // SAFETY: stores the register to the four bytes of `found`, and changes nothing else.
        unsafe {
            asm!("stmxcsr [{}]", in(reg) &raw mut found, options(nostack, preserves_flags));
        }
        found
    }

    fn load(value: u32) {
        // SAFETY:
        // - the register is loaded from four bytes that were its own value, or the default's, whose
        //   reserved bits are 0;
        // - Rust assumes the default environment, which this sets, or puts back what the caller had
        //   before it came here. Work in between takes its operands from memory and leaves its results there, which
        //   the assembly may read and write, so none of it is moved across; `preserves_flags` is left out, as it would
        //   promise that the sticky flags stay as they are.
        unsafe {
            asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack));
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
mod imp {
    /// Elsewhere the default environment is the caller's promise, as for all Rust code.
    pub(super) struct Restore;

    impl Restore {
        pub(super) fn set_default() -> Restore {
            Restore
        }
    }
}
