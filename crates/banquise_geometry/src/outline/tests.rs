use super::*;

fn p(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

fn square() -> Vec<DVec2> {
    vec![p(0.0, 0.0), p(2.0, 0.0), p(2.0, 2.0), p(0.0, 2.0)]
}

#[test]
fn a_clockwise_list_is_turned_round_with_vertex_0_first() {
    let mut list = square();
    list[1..].reverse();
    let outline = Outline::try_new(list).unwrap();
    assert_eq!(outline.vertices(), square());
}

#[test]
fn fewer_than_three_vertices_are_refused() {
    let error = Outline::try_new(vec![p(0.0, 0.0), p(1.0, 0.0)]).unwrap_err();
    assert_eq!(error, GeometryError::TooFewVertices { count: 2 });
    assert_eq!(
        Outline::from_ring(&[]).unwrap_err(),
        GeometryError::TooFewVertices { count: 0 }
    );
}

#[test]
fn the_closing_vertex_has_its_own_error() {
    let mut list = square();
    list.push(p(0.0, 0.0));
    let error = Outline::try_new(list.clone()).unwrap_err();
    assert_eq!(
        error,
        GeometryError::ClosingVertexRepeated {
            index: 4,
            point: DVec2::ZERO
        }
    );
    assert_eq!(Outline::from_ring(&list).unwrap().vertices(), square());
}

#[test]
fn a_repeated_vertex_is_named_by_both_indices_even_far_apart() {
    let list = vec![
        p(0.0, 0.0),
        p(2.0, 1.0),
        p(4.0, 0.0),
        p(4.0, 3.0),
        p(2.0, 1.0),
        p(0.0, 3.0),
    ];
    let error = Outline::try_new(list).unwrap_err();
    assert_eq!(
        error,
        GeometryError::RepeatedVertex {
            first: 1,
            second: 4,
            point: p(2.0, 1.0)
        }
    );
}

#[test]
fn straight_vertices_and_spikes_are_told_apart() {
    let mut list = square();
    list.insert(1, p(1.0, 0.0));
    let error = Outline::try_new(list.clone()).unwrap_err();
    assert_eq!(
        error,
        GeometryError::StraightVertex {
            index: 1,
            point: p(1.0, 0.0)
        }
    );
    assert_eq!(Outline::from_ring(&list).unwrap().vertices(), square());

    let spiked = vec![
        p(0.0, 0.0),
        p(3.0, 0.0),
        p(2.0, 0.0),
        p(2.0, 2.0),
        p(0.0, 2.0),
    ];
    let error = Outline::try_new(spiked.clone()).unwrap_err();
    assert_eq!(
        error,
        GeometryError::SpikeVertex {
            index: 1,
            point: p(3.0, 0.0)
        }
    );
    assert!(matches!(
        Outline::from_ring(&spiked),
        Err(GeometryError::SpikeVertex { .. })
    ));
}

#[test]
fn crossing_edges_are_named() {
    let bow_tie = vec![p(0.0, 0.0), p(2.0, 2.0), p(2.0, 0.0), p(0.0, 2.0)];
    let error = Outline::try_new(bow_tie).unwrap_err();
    assert!(matches!(
        error,
        GeometryError::EdgesCross {
            first: 0,
            second: 2,
            ..
        }
    ));
}

#[test]
fn errors_of_a_ring_name_the_indices_as_given() {
    // Vertices 1 and 3 are dropped; the edges that cross start at 0 and 4.
    let ring = [
        p(0.0, 0.0),
        p(0.0, 0.0),
        p(2.0, 2.0),
        p(2.0, 1.0),
        p(2.0, 0.0),
        p(0.0, 2.0),
    ];
    let error = Outline::from_ring(&ring).unwrap_err();
    assert!(
        matches!(
            error,
            GeometryError::EdgesCross {
                first: 0,
                second: 4,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn values_out_of_range_are_errors_and_not_nan() {
    let scaled = |factor: f64| square().iter().map(|&v| factor * v).collect::<Vec<_>>();
    assert!(matches!(
        Outline::try_new(scaled(1e200)),
        Err(GeometryError::CoordinateTooLarge { index: 1, .. })
    ));
    assert!(matches!(
        Outline::try_new(scaled(1e-20)),
        Err(GeometryError::EdgeTooShort { index: 0, .. })
    ));
    assert!(matches!(
        Outline::try_new(scaled(1e-200)),
        Err(GeometryError::ClosingVertexRepeated { .. })
    ));
    assert!(matches!(
        Outline::try_new(vec![p(0.0, 0.0), p(1.0, f64::NAN), p(0.0, 1.0)]),
        Err(GeometryError::NonFiniteVertex { index: 1, .. })
    ));
    assert!(matches!(
        Outline::try_new(vec![p(0.0, 0.0), p(1.0, 0.0), p(0.5, 1e-11)]),
        Err(GeometryError::AreaTooSmall { .. })
    ));
    assert!(Outline::try_new(scaled(4e8)).is_ok());
    assert!(Outline::try_new(scaled(1e-9)).is_ok());
}

#[test]
fn a_regular_polygon_is_inscribed_with_a_vertex_on_the_x_axis() {
    let polygon = Outline::regular_polygon(2.0, 6).unwrap();
    assert_eq!(polygon.vertices()[0], p(2.0, 0.0));
    // Side of a hexagon = radius; area 3√3/2 r².
    assert!((polygon.perimeter() - 12.0).abs() < 1e-14);
    assert!((polygon.area() - 6.0 * 3.0_f64.sqrt()).abs() < 1e-14);
    assert!(matches!(
        Outline::regular_polygon(1.0, 2),
        Err(GeometryError::InvalidSides { sides: 2, .. })
    ));
    assert!(matches!(
        Outline::regular_polygon(f64::NAN, 5),
        Err(GeometryError::InvalidRadius { .. })
    ));
}

#[test]
fn moving_turning_and_scaling_act_on_the_vertices() {
    let outline = Outline::try_new(square()).unwrap();
    assert_eq!(
        outline.translated(p(1.0, -1.0)).unwrap().centroid(),
        p(2.0, 0.0)
    );
    assert_eq!(outline.scaled(3.0).unwrap().area(), 36.0);
    let quarter = Rotation { cos: 0.0, sin: 1.0 };
    assert_eq!(outline.rotated(quarter).unwrap().centroid(), p(-1.0, 1.0));
    assert!(matches!(
        outline.scaled(-1.0),
        Err(GeometryError::InvalidScale { .. })
    ));
    assert!(outline.translated(p(2e9, 0.0)).is_err());
}
