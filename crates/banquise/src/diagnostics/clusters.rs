//! Groups of floes that are close to each other, with open water around them.

use banquise_geometry::{Aabb, Bvh, ContactShape, DVec2, PeriodicPair, Pose, Shape, approaches};

use crate::domain::Domain;

/// The group of each floe, named by its first floe: floes at most `gap` \[m\] apart are of one group. In a periodic
/// domain images count.
pub fn clusters(shapes: &[Shape], poses: &[Pose], domain: &Domain, gap: f64) -> Vec<usize> {
    let contact_shapes: Vec<ContactShape> = shapes.iter().map(ContactShape::new).collect();
    let wrapped = |pose: &Pose| Pose {
        position: domain.wrap(pose.position).0,
        ..*pose
    };
    let poses: Vec<Pose> = poses.iter().map(wrapped).collect();
    let mut groups: Vec<usize> = (0..shapes.len()).collect();
    let mut found = Vec::new();
    for PeriodicPair { a, b, offset } in near_pairs(&contact_shapes, &poses, domain, gap) {
        let (a, b) = (a as usize, b as usize);
        let image = Pose {
            position: poses[b].position + offset,
            ..poses[b]
        };
        approaches(
            &contact_shapes[a],
            poses[a],
            &contact_shapes[b],
            image,
            gap,
            &mut found,
        );
        if !found.is_empty() {
            let (a, b) = (root(&groups, a), root(&groups, b));
            groups[a.max(b)] = a.min(b);
        }
    }
    (0..groups.len()).map(|row| root(&groups, row)).collect()
}

/// Numbers of floes in the groups, the largest first.
pub fn cluster_sizes(groups: &[usize]) -> Vec<usize> {
    let mut counts = vec![0; groups.len()];
    for &group in groups {
        counts[group] += 1;
    }
    counts.retain(|&count| count > 0);
    counts.sort_unstable_by(|a, b| b.cmp(a));
    counts
}

fn near_pairs(
    shapes: &[ContactShape],
    poses: &[Pose],
    domain: &Domain,
    gap: f64,
) -> Vec<PeriodicPair> {
    let boxes = shapes.iter().zip(poses);
    let boxes: Vec<Aabb> = boxes
        .map(|(shape, &pose)| shape.aabb(pose).grown(0.5 * gap))
        .collect();
    let mut bvh = Bvh::default();
    bvh.build(&boxes);
    let mut periodic = Vec::new();
    if let Domain::Periodic(cell) = domain {
        bvh.pairs_periodic(cell.size(), &mut periodic);
        return periodic;
    }
    let mut pairs = Vec::new();
    bvh.pairs(&mut pairs);
    let offset = DVec2::ZERO;
    let pair = |(a, b)| PeriodicPair { a, b, offset };
    pairs.into_iter().map(pair).collect()
}

fn root(groups: &[usize], mut row: usize) -> usize {
    while groups[row] != row {
        row = groups[row];
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Rectangle;
    use banquise_geometry::{Disc, Rotation};

    fn discs(x: &[f64]) -> (Vec<Shape>, Vec<Pose>) {
        let pose = |&x: &f64| Pose {
            position: DVec2::new(x, 5.0),
            rotation: Rotation::IDENTITY,
        };
        let disc = Shape::Disc(Disc::try_new(1.0).unwrap());
        (vec![disc; x.len()], x.iter().map(pose).collect())
    }

    #[test]
    fn floes_within_the_gap_are_one_group() {
        // Gaps of 0.5, 3 and 0.1.
        let (shapes, poses) = discs(&[3.0, 5.5, 10.5, 12.6]);
        let groups = |gap| clusters(&shapes, &poses, &Domain::Free, gap);
        assert_eq!(groups(0.05), [0, 1, 2, 3]);
        assert_eq!(groups(0.2), [0, 1, 2, 2]);
        assert_eq!(groups(1.0), [0, 0, 2, 2]);
        assert_eq!(groups(3.1), [0, 0, 0, 0]);
        assert_eq!(cluster_sizes(&groups(0.2)), [2, 1, 1]);
        assert_eq!(cluster_sizes(&[]), [0_usize; 0]);
    }

    #[test]
    fn a_group_reaches_over_a_periodic_edge() {
        let (shapes, poses) = discs(&[0.5, 4.0, 19.0, 39.0]);
        let cell = Rectangle {
            min: DVec2::ZERO,
            max: DVec2::splat(20.0),
        };
        // The last two are 0.5 m from the image of the first; they themselves are one place apart by a whole cell.
        let groups = clusters(&shapes[..3], &poses[..3], &Domain::Periodic(cell), 0.6);
        assert_eq!(groups, [0, 1, 0]);
        let unwrapped = clusters(
            &shapes[..3],
            &[poses[0], poses[1], poses[3]],
            &Domain::Periodic(cell),
            0.6,
        );
        assert_eq!(unwrapped, groups);
    }
}
