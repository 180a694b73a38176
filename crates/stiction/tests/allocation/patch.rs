//! An evaluation allocates nothing.

use crate::counting;
use stiction::patch::{Closure, Disc, Patch, Piece, Pressure, Rectangle, Shape, Twist};

#[test]
fn wrench_and_jacobian_and_limit_allocate_nothing() {
    let disc = Shape::Disc(Disc { radius: 0.1 });
    let rectangle = Shape::Rectangle(Rectangle { length: 0.5, width: 0.2 });
    let foot = |centre| Piece { shape: rectangle.clone(), pressure: Pressure::Uniform, centre, share: 1.0 };
    let feet = Shape::Pieces(vec![foot([0.5, 0.0]), foot([-0.5, 0.4]), foot([-0.5, -0.4])]);
    let new =
        |shape: &Shape, pressure| Patch { height: 0.01, ..Patch::new(shape.clone(), pressure, 0.4, 30.0) };
    let patches = [
        new(&disc, Pressure::Galin),
        new(&disc, Pressure::Uniform),
        Patch { closure: Closure::Pade2, width: 0.1, ..new(&disc, Pressure::Galin) },
        Patch { closure: Closure::Pade2, height: 0.0, ..new(&rectangle, Pressure::Uniform) },
        new(&rectangle, Pressure::Linear { gradient: [0.1, 0.2] }),
        Patch { mu1: 0.1, mu2: 0.1, ..new(&feet, Pressure::Uniform) },
    ];
    for patch in patches {
        let contact = patch.prepare().unwrap();
        let surface = patch.limit_surface().unwrap();
        let before = counting::allocations();
        let mut sum = 0.0;
        for spin in [0.0, 1e-3, 0.3, 20.0, -4.0] {
            let twist = Twist { vx: 0.3, vy: -0.4, omega: spin };
            let w = contact.wrench(twist);
            sum += w.mz + contact.jacobian(twist)[0][0] + contact.skew(twist) + surface.limit(w).factor;
        }
        assert_eq!(counting::allocations(), before, "{patch:?}");
        assert!(sum.is_finite());
    }
    // the counter counts
    let before = counting::allocations();
    drop(std::hint::black_box(vec![1.0; 10]));
    assert!(counting::allocations() > before);
}
