//! A step that has warmed up allocates nothing: not for contact candidates, and not for friction problems.
//!
//! A program of its own, because its allocator counts for all of it.

#![expect(unsafe_code, reason = "an allocator is unsafe by its nature")]
#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use banquise::step::{StepScratch, step};
use banquise::{
    BodyKind, BodySpec, Coriolis, Domain, DragSettings, Forcing, Integrator, Material, NoTimer,
    Rectangle, StepSettings, Thickness, VectorSeries, Velocity, World,
};
use banquise_geometry::{DVec2, Disc, Outline, Pose, Rotation, Shape};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Whether this thread's allocations count: those of the test and of the pool do, those of whoever runs the test do not.
    static IS_COUNTED: Cell<bool> = const { Cell::new(false) };
}

// SAFETY: it hands everything on to the system's allocator, and only counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if IS_COUNTED.try_with(Cell::get).unwrap_or(false) {
            ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        }
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

/// A square with sides of 1 km.
fn square() -> Rectangle {
    Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(1000.0),
    }
}

/// Floes of this shape in rows 100 m apart, with this speed in all directions [m/s].
fn floes(count: u32, domain: Domain, shape: &Shape, (speed, material): (f64, Material)) -> World {
    let mut world = World::new(domain, 1);
    for index in 0..count {
        let place = 100.0 * DVec2::new(f64::from(index % 10), f64::from(index / 10));
        let spec = BodySpec {
            name: String::new(),
            kind: BodyKind::Floe,
            shape: shape.clone(),
            pose: Pose {
                position: place + 50.0,
                rotation: Rotation::IDENTITY,
            },
            velocity: Velocity {
                linear: speed * DVec2::from_angle(2.4 * f64::from(index)),
                angular: 1e-5 * f64::from(index % 7),
            },
            thickness: Thickness::Uniform(1.0),
            material,
            mass: None,
            inertia: None,
        };
        world.add(spec).unwrap();
    }
    world
}

fn wind() -> Forcing {
    Forcing {
        drag: Some(DragSettings::default()),
        wind: VectorSeries::constant(DVec2::new(7.0, 3.0)),
        coriolis: Coriolis::Latitude(1.4),
        ..Forcing::none()
    }
}

/// The integrators: with local time, with the common step, and with fixed steps.
fn all_settings() -> [StepSettings; 3] {
    // Validators may allocate.
    let settings = StepSettings {
        validate: false,
        ..StepSettings::default()
    };
    let mut all = [settings; 3];
    all[1].contact.local_time = false;
    all[2].contact.integrator = Integrator::Stepping;
    all
}

/// Friction problems and allocations of each step.
fn count(
    world: &mut World,
    settings: &StepSettings,
    scratch: &mut StepScratch,
    forcing: &Forcing,
    steps: u32,
) -> Vec<[u64; 2]> {
    let mut counts = Vec::with_capacity(steps as usize);
    for _ in 0..steps {
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        let report = step(world, forcing, settings, 10.0, scratch, &mut NoTimer).unwrap();
        let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
        counts.push([report.contact.methods.iter().sum(), allocated]);
    }
    counts
}

/// One test, since the count is that of all threads together.
#[test]
fn warm_steps_allocate_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().start_handler(|_| IS_COUNTED.set(true));
    pool.build_global().unwrap();
    // A thread that starts late allocates.
    rayon::broadcast(|_| ());
    IS_COUNTED.set(true);
    for settings in all_settings() {
        let contact = settings.contact;
        let name = format!(
            "{:?}, local time {}",
            contact.integrator, contact.local_time
        );
        let run = |world: &mut World, forcing: &Forcing, warm_up: u32| {
            let mut scratch = StepScratch::default();
            count(world, &settings, &mut scratch, forcing, warm_up);
            let counts = count(world, &settings, &mut scratch, forcing, 300);
            let sum = |k: usize| counts.iter().map(|count| count[k]).sum::<u64>();
            [sum(0), sum(1)]
        };
        // They drift and turn, near each other but apart.
        let polygon = Shape::Outline(Outline::regular_polygon(48.0, 12).unwrap());
        let periodic = Domain::Periodic(square());
        let mut drift = floes(100, periodic, &polygon, (0.0, Material::default()));
        assert_eq!(run(&mut drift, &wind(), 100), [0, 0], "{name}: a drift");

        // A gas of discs that does not come to rest, two of which meet at a time. Lists take long to reach their largest.
        let elastic = Material {
            friction: 0.0,
            restitution: 1.0,
            ..Material::default()
        };
        let disc = Shape::Disc(Disc::try_new(20.0).unwrap());
        let mut gas = floes(100, periodic, &disc, (0.2, elastic));
        let [problems, allocated] = run(&mut gas, &Forcing::none(), 4000);
        assert!(problems > 100, "{name}, a gas: {problems}");
        assert_eq!(allocated, 0, "{name}, a gas of {problems} problems");

        // Wind presses them into a corner.
        let walls = Domain::walls(square());
        let mut heap = floes(20, walls, &polygon, (0.0, Material::default()));
        let [problems, allocated] = run(&mut heap, &wind(), 4000);
        assert!(problems > 100, "{name}, a heap: {problems}");
        println!("{name}, a heap: {problems} problems, {allocated} allocations");
        // A problem that is harder than all before it needs longer lists.
        assert!(
            100 * allocated <= problems,
            "{name}, a heap of {problems} problems: {allocated}"
        );
    }
}
