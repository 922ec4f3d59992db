//! A step that has warmed up allocates nothing, as long as nobody is struck: the solver of impacts still does.
//!
//! A program of its own, because its allocator counts for all of it.

#![expect(unsafe_code, reason = "an allocator is unsafe by its nature")]
#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use banquise::step::{StepScratch, step};
use banquise::{
    BodyKind, BodySpec, Coriolis, Domain, DragSettings, Forcing, Material, NoTimer, Rectangle,
    StepSettings, Thickness, VectorSeries, Velocity, World,
};
use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: it hands everything on to the system's allocator, and only counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A pack that drifts and turns, near each other but apart.
fn pack() -> World {
    let cell = Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(1000.0),
    };
    let mut world = World::new(Domain::Periodic(cell), 1);
    for index in 0..100 {
        let place = 100.0 * DVec2::new(f64::from(index % 10), f64::from(index / 10));
        let spec = BodySpec {
            name: String::new(),
            kind: BodyKind::Floe,
            shape: Shape::Outline(Outline::regular_polygon(48.0, 12).unwrap()),
            pose: Pose {
                position: place + 50.0,
                rotation: Rotation::IDENTITY,
            },
            velocity: Velocity {
                linear: DVec2::ZERO,
                angular: 1e-5 * f64::from(index % 7),
            },
            thickness: Thickness::Uniform(1.0),
            material: Material::default(),
            mass: None,
            inertia: None,
        };
        world.add(spec).unwrap();
    }
    world
}

#[test]
fn a_warm_step_without_impacts_allocates_nothing() {
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        wind: VectorSeries::constant(DVec2::new(7.0, 3.0)),
        coriolis: Coriolis::Latitude(1.4),
        ..Forcing::none()
    };
    for local_time in [true, false] {
        let mut world = pack();
        let mut settings = StepSettings::default();
        settings.contact.local_time = local_time;
        let mut scratch = StepScratch::default();
        let mut near = 0;
        let mut run = |steps: u32| {
            for _ in 0..steps {
                let report = step(
                    &mut world,
                    &forcing,
                    &settings,
                    10.0,
                    &mut scratch,
                    &mut NoTimer,
                );
                near += report.unwrap().contact.impacts;
            }
            near
        };
        run(100);
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        assert_eq!(run(300), 0, "nobody is struck");
        let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
        assert_eq!(allocated, 0, "local time: {local_time}");
    }
}
