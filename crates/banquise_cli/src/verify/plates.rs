//! The cases of elastic plates that crack: Balasoiu 2020, completed and corrected.

use banquise_fem::{CrackPath, Elasticity, MeshError, Plate, TriangleMesh};
use banquise_geometry::DVec2;

use super::Measured;
use super::reference::Reference;

/// Young's modulus and Poisson's ratio of the source, in units of E = 8.95, with a toughness.
fn source(young: f64, toughness: f64) -> Elasticity {
    Elasticity {
        young,
        poisson: 0.295,
        toughness,
        tensile_strength: None,
    }
}

/// A square of side 100 in squares of two triangles, its right side displaced by 1 along x.
fn square(n: usize, elasticity: &Elasticity, is_clamped: bool) -> Result<Plate, MeshError> {
    let across = is_clamped.then_some(0.0);
    let mesh = TriangleMesh::rectangle(DVec2::new(100.0, 100.0), n, n);
    let grips = |point: DVec2| match point.x {
        x if x < 1e-9 => [Some(0.0), across],
        x if x > 100.0 - 1e-9 => [Some(1.0), across],
        _ => [None; 2],
    };
    Plate::new(mesh, 1.0, elasticity, grips)
}

fn crack(from: [f64; 2], to: [f64; 2], open_ends: [bool; 2]) -> CrackPath {
    CrackPath {
        points: vec![from.into(), to.into()],
        open_ends,
    }
}

/// Limit and order of a quantity on three meshes, each twice as fine as the one before.
fn extrapolated([coarse, middle, fine]: [f64; 3]) -> [f64; 2] {
    let ratio = (middle - coarse) / (fine - middle);
    [fine + (fine - middle) / (ratio - 1.0), ratio.log2()]
}

/// The three meshes of a convergence study.
const MESHES: [usize; 3] = [40, 80, 160];

/// T9: a plate in tension is cut through at the load of Griffith.
pub(super) fn griffith(_: &Reference) -> Measured {
    let whole = |x: f64| crack([x, 0.0], [x, 100.0], [true; 2]);
    let onset = |plate: &Plate, x: f64| plate.onset(&whole(x)).unwrap_or(f64::NAN);
    let bar = square(20, &source(8.95e9, 10.0), false)?;
    let mut measured = vec![
        ("onset (mm)".into(), 1e3 * onset(&bar, 50.0)),
        ("onset, cut at 17 m (mm)".into(), 1e3 * onset(&bar, 17.0)),
        (
            "stress (kPa)".into(),
            8.95e9 * onset(&bar, 50.0) / 100.0 / 1e3,
        ),
    ];
    // The source's energy has no ½: it is twice ours, and its tenacity 1 is a toughness of ½.
    let stress = source(8.95, 0.5);
    let ratio = stress.poisson;
    let strain = Elasticity {
        young: stress.young / (1.0 - ratio * ratio),
        poisson: ratio / (1.0 - ratio),
        ..stress.clone()
    };
    for (name, elasticity) in [("plane stress", &stress), ("plane strain", &strain)] {
        let [mut energies, mut onsets] = [[0.0; 3]; 2];
        for (mesh, n) in MESHES.into_iter().enumerate() {
            let plate = square(n, elasticity, true)?;
            energies[mesh] = 2.0 * plate.energy();
            onsets[mesh] = onset(&plate, 47.3);
        }
        let [energy, _] = extrapolated(energies);
        let [time, order] = extrapolated(onsets);
        let free = square(20, elasticity, false)?;
        measured.push((format!("clamped, {name}: energy"), energy));
        measured.push((format!("clamped, {name}: onset"), time));
        measured.push((format!("clamped, {name}: order of the onset"), order));
        measured.push((format!("free, {name}: energy"), 2.0 * free.energy()));
        measured.push((format!("free, {name}: onset"), onset(&free, 50.0)));
    }
    Ok(measured)
}

/// T10: an edge crack between fixed grips.
pub(super) fn edge_crack(_: &Reference) -> Measured {
    let elasticity = source(8.95, 1.0);
    let mut rates = [[0.0; 3]; 2];
    for (mesh, n) in MESHES.into_iter().enumerate() {
        let plate = square(n, &elasticity, false)?;
        let step = 100.0 / n as f64;
        let released = |a: f64| {
            let release = plate.release(&crack([50.0, 0.0], [50.0, a], [true, false]));
            release.map_or(f64::NAN, |release| release.energy)
        };
        for (row, a) in rates.iter_mut().zip([10.0, 20.0]) {
            row[mesh] = (released(a + step) - released(a - step)) / (2.0 * step);
        }
    }
    let [[short, short_order], [long, long_order]] = rates.map(extrapolated);
    Ok(vec![
        ("G(10)".into(), short),
        ("G(20)".into(), long),
        ("order of G(10)".into(), short_order),
        ("order of G(20)".into(), long_order),
        (
            "G(10), 160 squares a side, over its limit".into(),
            rates[0][2] / short,
        ),
        (
            "G(20), 160 squares a side, over its limit".into(),
            rates[1][2] / long,
        ),
    ])
}
