use super::super::nodes::corner_nodes;
use super::*;

/// A grid of 7 × 5 nodes, turned and bent, and a field that is bilinear in its indices.
fn bent() -> (Vec<DVec2>, Vec<DVec2>) {
    let node = |index: usize| {
        let (i, j) = ((index % 7) as f64, (index / 7) as f64);
        let place = DVec2::new(i + 0.1 * j + 0.05 * i * j, 0.8 * j - 0.2 * i + 0.03 * i * i);
        1000.0 * place
    };
    let value = |index: usize| {
        let (i, j) = ((index % 7) as f64, (index / 7) as f64);
        DVec2::new(1.0 + i, i * j)
    };
    ((0..35).map(node).collect(), (0..35).map(value).collect())
}

fn value_at(field: &GriddedField, point: DVec2, time: f64) -> DVec2 {
    field.at(point, field.level(time), &mut 0)
}

#[test]
fn nodes_have_their_values_and_cells_are_bilinear() {
    let (nodes, values) = bent();
    let field = GriddedField::try_new(7, nodes.clone(), vec![0.0], values.clone()).unwrap();
    for (node, value) in nodes.iter().zip(&values) {
        assert!((value_at(&field, *node, 5.0) - *value).length() < 1e-9);
    }
    // In the middle of a cell, the mean of its corners, wherever the search starts.
    for cell in [0, 8, 26] {
        let around = corner_nodes(7, cell);
        let middle = around.iter().map(|&n| nodes[n]).sum::<DVec2>() / 4.0;
        let mean = around.iter().map(|&n| values[n]).sum::<DVec2>() / 4.0;
        for mut guess in [0, 17, 34, 900] {
            let found = field.at(middle, field.level(0.0), &mut guess);
            assert!((found - mean).length() < 1e-9, "{found} {mean}");
            assert_eq!(guess, cell);
        }
    }
}

#[test]
fn outside_there_is_nothing() {
    let (nodes, values) = bent();
    let field = GriddedField::try_new(7, nodes, vec![0.0], values).unwrap();
    for point in [
        DVec2::new(-1.0, -1.0),
        DVec2::new(0.0, 9e3),
        DVec2::new(1e9, -1e9),
    ] {
        assert!(value_at(&field, point, 0.0).is_nan());
    }
}

#[test]
fn times_are_interpolated_component_by_component() {
    let nodes = vec![DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::ONE];
    let values = [DVec2::X, DVec2::Y].map(|value| [value; 4]).concat();
    let field = GriddedField::try_new(2, nodes, vec![10.0, 20.0], values).unwrap();
    let middle = DVec2::splat(0.5);
    assert_eq!(value_at(&field, middle, 10.0), DVec2::X);
    assert_eq!(value_at(&field, middle, 12.5), DVec2::new(0.75, 0.25));
    assert_eq!(value_at(&field, middle, 20.0), DVec2::Y);
    assert_eq!(field.span(), (10.0, 20.0));
    assert_eq!(field.max_speed(), 1.0);
}

#[test]
fn missing_data_spoil_their_cells_but_not_the_edges_across() {
    let nodes: Vec<DVec2> = (0..9)
        .map(|index| DVec2::new(f64::from(index % 3), f64::from(index / 3)))
        .collect();
    let mut values = vec![DVec2::X; 9];
    values[8] = DVec2::NAN;
    let field = GriddedField::try_new(3, nodes, vec![0.0], values).unwrap();
    assert_eq!(value_at(&field, DVec2::new(0.5, 1.5), 0.0), DVec2::X);
    assert!(value_at(&field, DVec2::new(1.5, 1.5), 0.0).is_nan());
    assert_eq!(value_at(&field, DVec2::new(1.5, 1.0), 0.0), DVec2::X);
}

#[test]
fn bad_grids_are_refused_by_name() {
    let square = vec![DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::ONE];
    let calm = [DVec2::ZERO; 4];
    let make = |nodes: &[DVec2], times: &[f64]| {
        let values = calm.repeat(times.len());
        GriddedField::try_new(2, nodes.to_vec(), times.to_vec(), values)
    };
    assert_eq!(make(&square, &[]), Err(FieldError::NoTimes));
    assert!(matches!(
        make(&square, &[1.0, 1.0]),
        Err(FieldError::TimesNotIncreasing { index: 1, .. })
    ));
    let flat = [DVec2::ZERO, DVec2::X, DVec2::ZERO, DVec2::X];
    let folded = FieldError::Folded { column: 0, row: 0 };
    assert_eq!(make(&flat, &[0.0]), Err(folded));
    let holes = [DVec2::ZERO, DVec2::NAN, DVec2::Y, DVec2::ONE];
    assert_eq!(make(&holes, &[0.0]), Err(FieldError::NoCell));
}
