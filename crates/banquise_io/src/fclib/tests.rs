//! What is written reads back, in both forms and all storages of matrices; what is no problem is refused with the place.

use banquise_geometry::DVec2;
use banquise_solver::{
    Body, Bound, Contact, ContactProblem, ImpactSettings, LocalProblem, Problem, residual,
    solve_local,
};

use super::{FclibForm, read_fclib, write_fclib};
use crate::hdf5::{Hdf5, Link};

/// Two discs between a fixed wall and a body that moves on a path; the second disc also touches its own periodic image.
fn bodies() -> ContactProblem {
    let wall = Body {
        inv_mass: 0.0,
        inv_inertia: 0.0,
        position: DVec2::ZERO,
        linear_velocity: DVec2::ZERO,
        angular_velocity: 0.0,
    };
    let disc = |x: f64, inv_mass: f64, velocity: DVec2| Body {
        inv_mass,
        inv_inertia: 2.0 * inv_mass,
        position: DVec2::new(x, 0.0),
        linear_velocity: velocity,
        angular_velocity: 0.3,
    };
    let ship = Body {
        position: DVec2::new(6.0, 0.0),
        linear_velocity: DVec2::new(-0.5, 0.125),
        angular_velocity: 0.25,
        ..wall
    };
    let contact = |a, b, arms: [[f64; 2]; 2], normal: DVec2| Contact {
        a,
        b,
        arms: arms.map(DVec2::from),
        normal,
        friction: 0.7,
        restitution: 0.0,
        gap: 0.0,
        start: [0.0; 2],
    };
    ContactProblem {
        bodies: vec![
            wall,
            disc(1.0, 0.5, DVec2::new(-1.0, 0.25)),
            disc(3.0, 1e-3, DVec2::new(0.5, -0.75)),
            ship,
        ],
        contacts: vec![
            contact(0, 1, [[0.0, 0.0], [-1.0, 0.0]], DVec2::X),
            contact(1, 2, [[1.0, 0.0], [-1.0, 0.0]], DVec2::X),
            contact(2, 3, [[1.0, 0.5], [-2.0, 0.5]], DVec2::new(0.8, 0.6)),
            contact(2, 2, [[0.0, 1.0], [0.0, -1.0]], DVec2::Y),
        ],
    }
}

fn bounds() -> Vec<Bound> {
    [(-0.125, 0.0), (0.5, 0.0), (-0.25, 0.5), (-1.0, 0.0)]
        .map(|(least, rebound)| Bound { least, rebound })
        .into()
}

fn local(problem: &Problem) -> LocalProblem<'static> {
    match problem {
        Problem::Local(local) => local.clone(),
        other => panic!("not in local form: {other:?}"),
    }
}

fn written(problem: &Problem, form: FclibForm) -> LocalProblem<'static> {
    local(&read_fclib(write_fclib(problem, form, "discs").unwrap()).unwrap())
}

#[test]
fn the_local_form_reads_back_bit_for_bit() {
    let first = written(&Problem::Bounded(bodies(), bounds()), FclibForm::Local);
    let second = written(&Problem::Local(first.clone()), FclibForm::Local);
    assert_eq!(first, second);
}

#[test]
fn both_forms_are_the_same_problem() {
    let problems = [
        Problem::Bounded(bodies(), bounds()),
        Problem::Contacts(bodies(), ImpactSettings::default()),
    ];
    for problem in problems {
        let first = written(&problem, FclibForm::Local);
        let second = written(&problem, FclibForm::Global);
        // Rounding of factors and products of numbers of order one.
        let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-14, "{a} and {b}");
        for row in 0..2 * first.contact_count() {
            near(first.free_velocity[row], second.free_velocity[row]);
            for column in 0..2 * first.contact_count() {
                near(
                    first.delassus.get(row, column),
                    second.delassus.get(row, column),
                );
            }
        }
        assert_eq!(&*first.friction, &*second.friction);
        // Of the contact with the periodic image of the body only the rotation is coupled.
        assert_eq!(first.delassus.get(6, 6), 0.0);
        let solution = solve_local(&first);
        assert!(solution.is_solved());
        assert!(residual(&second, &solution.impulses) <= 1e-9);
    }
}

#[test]
fn bounds_are_taken_off_the_free_velocities() {
    let found = written(&Problem::Bounded(bodies(), bounds()), FclibForm::Local);
    // The disc approaches the wall at 1 m/s and may at 0.125; the tangent of x is y, and the disc turns at 0.3.
    assert_eq!(&found.free_velocity[..2], &[-1.0 + 0.125, 0.25 - 0.3]);
    let problem = bodies();
    let [normal, tangent] = problem.relative_velocity(&problem.contacts[2]);
    // No rebound, and no separation.
    assert_eq!(&found.free_velocity[4..6], &[normal + 0.25, tangent]);
    let [normal, tangent] = problem.relative_velocity(&problem.contacts[1]);
    assert_eq!(&found.free_velocity[2..4], &[normal, tangent]);
}

/// A matrix of the file of one contact, W = [[2, 0.5], [0.5, 3]], or another with the same layout.
struct Matrix<'a> {
    nz: i32,
    p: &'a [i32],
    i: &'a [i32],
    x: &'a [f64],
    size: [i32; 2],
}

const SMALL: Matrix<'_> = Matrix {
    nz: -1,
    p: &[0, 2, 4],
    i: &[0, 1, 0, 1],
    x: &[2.0, 0.5, 0.5, 3.0],
    size: [2, 2],
};

fn add(file: &mut Hdf5, matrix: &Matrix<'_>) -> u64 {
    let Matrix { nz, p, i, x, size } = *matrix;
    let members: Vec<Link> = vec![
        ("m".to_owned(), file.integers(&[size[0]])),
        ("n".to_owned(), file.integers(&[size[1]])),
        ("nz".to_owned(), file.integers(&[nz])),
        ("nzmax".to_owned(), file.integers(&[x.len() as i32])),
        ("p".to_owned(), file.integers(p)),
        ("i".to_owned(), file.integers(i)),
        ("x".to_owned(), file.dataset(&[x.len()], x, &[])),
    ];
    file.group(members)
}

/// A file in local form with this matrix, these vectors and so many dimensions.
fn local_file(matrix: &Matrix<'_>, q: &[f64], mu: &[f64], dimensions: i32) -> Vec<u8> {
    let mut file = Hdf5::new(16);
    let operator = add(&mut file, matrix);
    let q = file.dataset(&[q.len()], q, &[]);
    let mu = file.dataset(&[mu.len()], mu, &[]);
    let vectors = file.group(vec![("q".to_owned(), q), ("mu".to_owned(), mu)]);
    let members = vec![
        ("spacedim".to_owned(), file.integers(&[dimensions])),
        ("W".to_owned(), operator),
        ("vectors".to_owned(), vectors),
    ];
    let group = file.group(members);
    file.finish(vec![("fclib_local".to_owned(), group)])
}

/// A file in global form of one disc of 2 kg that falls on a floor.
fn global_file(mass: &Matrix<'_>, directions: &Matrix<'_>) -> Vec<u8> {
    let mut file = Hdf5::new(16);
    let (mass, directions) = (add(&mut file, mass), add(&mut file, directions));
    let f = file.dataset(&[3], &[2.0, -4.0, 0.0], &[]);
    let w = file.dataset(&[2], &[0.25, 0.0], &[]);
    let mu = file.dataset(&[1], &[0.5], &[]);
    let vectors = [("f", f), ("w", w), ("mu", mu)].map(|(name, at)| (name.to_owned(), at));
    let vectors = file.group(vectors.into());
    let members = vec![
        ("spacedim".to_owned(), file.integers(&[2])),
        ("M".to_owned(), mass),
        ("H".to_owned(), directions),
        ("vectors".to_owned(), vectors),
    ];
    let group = file.group(members);
    file.finish(vec![("fclib_global".to_owned(), group)])
}

#[test]
fn all_storages_of_a_matrix_are_read() {
    let storages = [
        SMALL,
        Matrix { nz: -2, ..SMALL },
        // Triplets: rows in `i`, columns in `p`.
        Matrix {
            nz: 4,
            p: &[0, 1, 0, 1],
            i: &[0, 0, 1, 1],
            ..SMALL
        },
        // The last entry in two parts.
        Matrix {
            nz: 5,
            p: &[0, 1, 0, 1, 1],
            i: &[0, 0, 1, 1, 1],
            x: &[2.0, 0.5, 0.5, 1.0, 2.0],
            ..SMALL
        },
    ];
    for storage in storages {
        let found = local(&read_fclib(local_file(&storage, &[-1.0, 2.0], &[0.5], 2)).unwrap());
        assert_eq!(found.delassus.diagonal(0), &[[2.0, 0.5], [0.5, 3.0]]);
        assert_eq!(&*found.free_velocity, &[-1.0, 2.0]);
        assert_eq!(&*found.friction, &[0.5]);
    }
}

const MASS: Matrix<'_> = Matrix {
    nz: -1,
    p: &[0, 1, 2, 3],
    i: &[0, 1, 2],
    x: &[2.0, 2.0, 4.0],
    size: [3, 3],
};
/// Normal along y, tangent along −x; the point of contact is 1 m below the centre.
const DIRECTIONS: Matrix<'_> = Matrix {
    nz: -1,
    p: &[0, 1, 3],
    i: &[1, 0, 2],
    x: &[1.0, -1.0, -1.0],
    size: [3, 2],
};

#[test]
fn the_global_form_is_eliminated() {
    // As compressed columns, as triplets, and as triplets that only fit the other way round.
    let directions = [
        DIRECTIONS,
        Matrix {
            nz: 3,
            p: &[0, 1, 1],
            i: &[1, 0, 2],
            ..DIRECTIONS
        },
        Matrix {
            nz: 3,
            p: &[1, 0, 2],
            i: &[0, 1, 1],
            ..DIRECTIONS
        },
    ];
    for directions in directions {
        let found = local(&read_fclib(global_file(&MASS, &directions)).unwrap());
        // 1/m, and 1/m + 1/I.
        let expected = [[0.5, 0.0], [0.0, 0.75]];
        for (found, expected) in found
            .delassus
            .diagonal(0)
            .iter()
            .flatten()
            .zip(expected.as_flattened())
        {
            assert!((found - expected).abs() <= 1e-15, "{found} and {expected}");
        }
        // The disc falls at 2 m/s and moves at 1 m/s along x; the bound takes 0.25 m/s off the approach.
        for (found, expected) in found.free_velocity.iter().zip([-1.75, -1.0]) {
            assert!((found - expected).abs() <= 1e-15, "{found} and {expected}");
        }
    }
    // A mass matrix that couples unknowns: [[2, 1], [1, 2]] has the inverse [[2, -1], [-1, 2]] / 3.
    let coupled = Matrix {
        p: &[0, 2, 4, 5],
        i: &[0, 1, 0, 1, 2],
        x: &[2.0, 1.0, 1.0, 2.0, 4.0],
        ..MASS
    };
    let found = local(&read_fclib(global_file(&coupled, &DIRECTIONS)).unwrap());
    let expected = [[2.0 / 3.0, 1.0 / 3.0], [1.0 / 3.0, 2.0 / 3.0 + 0.25]];
    for (found, expected) in found
        .delassus
        .diagonal(0)
        .iter()
        .flatten()
        .zip(expected.as_flattened())
    {
        assert!((found - expected).abs() <= 1e-15, "{found} and {expected}");
    }
}

fn refuse(files: Vec<(&str, Vec<u8>)>) {
    for (message, bytes) in files {
        let error = read_fclib(bytes).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(!error.hint().is_empty());
    }
}

#[test]
fn vectors_that_do_not_fit_are_refused_with_the_place() {
    let (q, mu) = ([-1.0, 2.0], [0.5]);
    refuse(vec![
        (
            "`fclib_local/spacedim` is 3: the problem is not one of two dimensions",
            local_file(&SMALL, &q, &mu, 3),
        ),
        (
            "`fclib_local/vectors/q` has 1 numbers, where 2 are needed",
            local_file(&SMALL, &q[..1], &mu, 2),
        ),
        (
            "`fclib_local/vectors/mu` has 2 numbers, where 1 are needed",
            local_file(&SMALL, &q, &[0.5, 0.5], 2),
        ),
        (
            "`mu[0]` must be zero or positive, not -0.5",
            local_file(&SMALL, &q, &[-0.5], 2),
        ),
        (
            "`q[0]` must be within ±1e50, not inf",
            local_file(&SMALL, &[f64::INFINITY, 0.0], &mu, 2),
        ),
    ]);
}

#[test]
fn matrices_that_are_none_are_refused_with_the_place() {
    let small = |matrix: Matrix<'_>| local_file(&matrix, &[-1.0, 2.0], &[0.5], 2);
    refuse(vec![
        (
            "`fclib_local/W/n` is 4, where 2 is needed",
            small(Matrix {
                size: [2, 4],
                p: &[0, 2, 4, 4, 4],
                ..SMALL
            }),
        ),
        (
            "`fclib_local/W/nz` is -3, where -1, -2 or a number of entries is needed",
            small(Matrix { nz: -3, ..SMALL }),
        ),
        (
            "`fclib_local/W/i[3]` is 2, where an index below 2 is needed",
            small(Matrix {
                i: &[0, 1, 0, 2],
                ..SMALL
            }),
        ),
        (
            "`fclib_local/W/p[2]` is 2, where a pointer from 3 to 4 is needed",
            small(Matrix {
                p: &[0, 3, 2],
                ..SMALL
            }),
        ),
        (
            "`fclib_local/W/p[2]` is 5, where a pointer from 2 to 4 is needed",
            small(Matrix {
                p: &[0, 2, 5],
                ..SMALL
            }),
        ),
        (
            "`fclib_local/W/p[0]` is 1, where a pointer from 0 to 4 is needed",
            small(Matrix {
                p: &[1, 2, 4],
                ..SMALL
            }),
        ),
        (
            "`fclib_local/W/i` has 4 numbers, where 3 are needed",
            small(Matrix {
                p: &[0, 2, 3],
                ..SMALL
            }),
        ),
        (
            "`fclib_local/W/x` has 3 numbers, where 4 are needed",
            small(Matrix {
                x: &[2.0, 0.5, 0.5],
                ..SMALL
            }),
        ),
        (
            "`fclib_local/W/i` has 4 numbers, where 5 are needed",
            small(Matrix {
                nz: 5,
                p: &[0, 1, 0, 1],
                ..SMALL
            }),
        ),
        (
            "`fclib_local/W/m` is -2, where a number of rows or columns is needed",
            small(Matrix {
                size: [-2, 2],
                ..SMALL
            }),
        ),
    ]);
}

#[test]
fn masses_that_are_none_are_refused_with_the_place() {
    let global = |mass: Matrix<'_>| global_file(&mass, &DIRECTIONS);
    refuse(vec![
        (
            "`fclib_global/M` is not positive definite at row 1",
            global(Matrix {
                x: &[2.0, 0.0, 4.0],
                ..MASS
            }),
        ),
        (
            "`fclib_global/M` is not symmetric at row 1",
            global(Matrix {
                p: &[0, 2, 3, 4],
                i: &[0, 1, 1, 2],
                x: &[2.0, 1.0, 2.0, 4.0],
                ..MASS
            }),
        ),
        (
            "`fclib_global/H/m` is 3, where 2 is needed",
            global(Matrix {
                size: [2, 2],
                p: &[0, 1, 2],
                i: &[0, 1],
                x: &[2.0, 2.0],
                ..MASS
            }),
        ),
        (
            "the file has neither a group `fclib_local` nor a group `fclib_global`",
            Hdf5::new(1).finish(Vec::new()),
        ),
    ]);
}

#[test]
fn damaged_files_are_refused_or_read() {
    let whole = local_file(&SMALL, &[-1.0, 2.0], &[0.5], 2);
    for end in (0..whole.len()).step_by(7) {
        drop(read_fclib(whole[..end].to_vec()));
    }
    for place in 0..whole.len() {
        for bit in [0, 3, 7] {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << bit;
            drop(read_fclib(bytes));
        }
    }
}
