//! The clock. Processor time of this thread or process, which other work on the
//! machine does not lengthen. Invariant: never goes backwards; the peers in `peers/` measure the
//! same in their processes.

/// Seconds of processor time that this thread has used.
pub fn cpu_seconds() -> f64 {
    seconds_of(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Seconds of processor time that all threads of this process have used: the translator works on
/// threads with large stacks.
pub fn process_seconds() -> f64 {
    seconds_of(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn seconds_of(clock: libc::clockid_t) -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a local variable of the right type.
    let result = unsafe { libc::clock_gettime(clock, &mut time) };
    assert_eq!(result, 0, "every Linux has this clock");
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_sleep_does_not() {
        let begin = cpu_seconds();
        std::thread::sleep(std::time::Duration::from_millis(50));
        let slept = cpu_seconds() - begin;
        assert!((0.0..0.04).contains(&slept), "{slept}");
        let mut x = 1u64;
        while cpu_seconds() - begin < 0.05 {
            x = std::hint::black_box(x.wrapping_mul(3));
        }
    }
}
