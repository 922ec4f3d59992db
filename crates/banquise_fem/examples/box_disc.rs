use banquise_fem::stokes::box_disc::*;
use banquise_fem::stokes::*;
fn main() {
    let whole = |element, diagonals, cells, penalty| BoxDisc {
        element,
        mesh: DiscMesh::Whole(diagonals),
        cells,
        penalty,
    };
    let t = std::time::Instant::now();
    let reference = BoxDisc {
        element: Element::TaylorHood,
        mesh: DiscMesh::Fitted,
        cells: 150,
        penalty: None,
    }
    .settle()
    .unwrap();
    println!(
        "ref TH fitted 150: {:?} residual {:e} unknowns {} fill {} {:?}",
        reference.velocity,
        reference.field.residual,
        reference.problem.unknowns(),
        reference.problem.fill(),
        t.elapsed()
    );
    for (name, mesh) in [
        ("parallel", DiscMesh::Whole(Diagonals::Parallel)),
        ("alternating", DiscMesh::Whole(Diagonals::Alternating)),
        ("fitted", DiscMesh::Fitted),
    ] {
        for penalty in [None, Some(1e-8)] {
            let mut points = vec![];
            for cells in [30, 40, 50, 60, 80, 100, 120, 150] {
                let t = std::time::Instant::now();
                let f = BoxDisc {
                    element: Element::Mini,
                    mesh,
                    cells,
                    penalty,
                }
                .settle()
                .unwrap();
                let e = f.difference(&reference);
                println!(
                    "{name} {penalty:?} {cells} V {:.5} {:.5} strain {:.2e} L2 {:.4e} H1 {:.4e} res {:.1e} {:?}",
                    f.velocity.y,
                    f.velocity.x,
                    f.strain,
                    e[0],
                    e[1],
                    f.field.residual,
                    t.elapsed()
                );
                points.push((cells as f64, e));
            }
            for n in 0..2 {
                let (mut sx, mut sy, mut sxx, mut sxy, k) =
                    (0.0, 0.0, 0.0, 0.0, points.len() as f64);
                for (c, e) in &points {
                    let (x, y) = (-c.ln(), e[n].ln());
                    sx += x;
                    sy += y;
                    sxx += x * x;
                    sxy += x * y;
                }
                println!("   order {:.4}", (k * sxy - sx * sy) / (k * sxx - sx * sx));
            }
        }
    }
    let _ = whole;
    for mesh in [DiscMesh::Whole(Diagonals::Alternating), DiscMesh::Fitted] {
        for cells in [30, 60] {
            for eps in [1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8] {
                let f = BoxDisc {
                    element: Element::Mini,
                    mesh,
                    cells,
                    penalty: Some(eps),
                }
                .shear()
                .unwrap();
                println!(
                    "{mesh:?} {cells} eps {eps:e}: spin-0.5 {:.2e} strain {:.4e} squared {:.3e} res {:.1e}",
                    f.spin - 0.5,
                    f.strain,
                    f.strain * f.strain,
                    f.field.residual
                );
            }
        }
    }
    let limit = BoxDisc {
        element: Element::Mini,
        mesh: DiscMesh::Fitted,
        cells: 100,
        penalty: None,
    }
    .settle()
    .unwrap();
    for eps in [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
        let f = BoxDisc {
            element: Element::Mini,
            mesh: DiscMesh::Fitted,
            cells: 100,
            penalty: Some(eps),
        }
        .settle()
        .unwrap();
        println!(
            "eps {eps:e}: V {:.4} strain {:.3e} diff {:?}",
            f.velocity.y,
            f.strain,
            f.difference(&limit)
        );
    }
}
