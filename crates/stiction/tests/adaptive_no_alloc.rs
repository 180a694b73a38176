//! The adaptive integrator allocates nothing once it is built.
#![allow(unsafe_code)]

mod kinked;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use kinked::Kinked;
use stiction::integrate::{Adaptive, AdaptiveStepper, Method};

/// Counts what the system allocator is asked for.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system allocator unchanged
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

// one test only: other threads would count too
#[test]
fn steps_kinks_and_dense_output_allocate_nothing() {
    for method in [Method::Explicit, Method::Implicit, Method::Auto] {
        let mut ode = Kinked { mu: 3.2, width: 1e-3 };
        let mut stepper = AdaptiveStepper::new(&Adaptive { method, ..Adaptive::default() }, &ode);
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        stepper.start(&mut ode, 0.0, &[0.0, 0.0]).unwrap();
        let mut y = [0.0; 2];
        while stepper.t() < 20.0 {
            stepper.step(&mut ode, 20.0).unwrap();
            let middle = 0.5 * (stepper.t_old() + stepper.t());
            stepper.dense(&mut ode, middle, &mut y);
        }
        let after = ALLOCATIONS.load(Ordering::Relaxed);
        assert_eq!(after - before, 0, "{method:?}");
        assert!(stepper.work().kinks > 0);
    }
}
