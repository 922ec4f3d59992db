//! Calibrates the load that stands for a blow on an elastic floe against the same blow on a resolved lattice, and prints on how many other blows both agree.

#![expect(clippy::print_stdout, reason = "an example prints what it measures")]

use banquise_fem as fem;
use banquise_fracture::lattice::Kind;
use banquise_fracture::{
    BreakRule, Contact, FractureError, Ice, Integrator, Lattice, Network, Percussion, Run,
    RunSettings,
};
use banquise_geometry::DVec2;

/// Cells of the lattice along a side.
const CELLS: f64 = 20.0;
/// Share of the nodes that a piece must have to count.
const SMALLEST_PIECE: f64 = 0.05;

/// Steps of the lattice that are tried, over the longest stable one.
const STEPS: [f64; 4] = [0.5, 0.42, 0.35, 0.29];

/// Numbers from 0 to 1 (Knuth's linear congruential generator).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.next())
    }
}

/// A blow on a square floe: a mass strikes its left side.
#[derive(Clone, Copy, Debug)]
struct Blow {
    side: f64,
    thickness: f64,
    /// Mass of the striker over that of the floe.
    mass_ratio: f64,
    /// Place on the left side, from its middle, as a share of the side.
    offset: f64,
}

impl Blow {
    fn draw(random: &mut Random) -> Self {
        Self {
            side: random.log_uniform(20.0, 200.0),
            thickness: random.log_uniform(0.5, 2.0),
            mass_ratio: random.log_uniform(0.1, 10.0),
            offset: 0.7 * (random.next() - 0.5),
        }
    }

    fn lattice(&self) -> Lattice {
        Lattice {
            kind: Kind::Triangular,
            ice: Ice::default(),
            side: self.side,
            thickness: self.thickness,
            spacing: self.side / CELLS,
            damping: 0.1,
            seed: 0,
        }
    }

    /// Whether the lattice breaks at a speed of the striker \[m/s\]. A run in which lips bounce without end is made again with a shorter step.
    fn breaks(&self, speed: f64) -> Result<bool, FractureError> {
        let mut last = self.breaks_with(speed, STEPS[0]);
        for step in &STEPS[1..] {
            if last.is_ok() {
                break;
            }
            last = self.breaks_with(speed, *step);
        }
        last
    }

    fn breaks_with(&self, speed: f64, step: f64) -> Result<bool, FractureError> {
        let lattice = self.lattice();
        let mut network = lattice.network()?;
        let nodes = network.places.len();
        let left = network
            .places
            .iter()
            .map(|p| p.x)
            .fold(f64::INFINITY, f64::min);
        let point = DVec2::new(left, self.offset * self.side);
        let target = (0..nodes)
            .filter(|&n| network.places[n].x < left + 0.6 * lattice.spacing)
            .min_by(|&a, &b| {
                let away = |n: usize| (network.places[n].y - point.y).abs();
                away(a).total_cmp(&away(b))
            })
            .unwrap_or(0);
        let mass: f64 = network.masses.iter().sum();
        let place = network.places[target] - DVec2::new(lattice.spacing, 0.0);
        let striker = network.add_node(place, self.mass_ratio * mass);
        let mut velocity = vec![DVec2::ZERO; nodes];
        velocity.push(DVec2::new(speed, 0.0));
        let contact = Contact::new([striker, target], DVec2::X, 0.0, Percussion::default());
        let settings = RunSettings {
            integrator: Integrator::Symplectic,
            dt: step * network.stable_step(),
            breaking: BreakRule::Tension,
        };
        let reduced = mass * self.mass_ratio / (1.0 + self.mass_ratio);
        let membrane = lattice.ice.young * self.thickness;
        let duration =
            6.0 * self.side / lattice.ice.bar_speed() + 9.0 * (reduced / membrane).sqrt();
        let mut run = Run::try_new(network, vec![contact], velocity, settings)?;
        let mut known = 0;
        while run.state().time < duration {
            run.step()?;
            let events = run.events().len();
            if events > known {
                known = events;
                if second_piece(run.network(), nodes) >= SMALLEST_PIECE {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

/// Share of the nodes in the second largest piece.
fn second_piece(network: &Network, nodes: usize) -> f64 {
    let mut parent: Vec<usize> = (0..nodes).collect();
    for bond in network.bonds.iter().filter(|bond| bond.intact) {
        let [a, b] = bond.nodes;
        if a.max(b) < nodes {
            let (a, b) = (root(&mut parent, a), root(&mut parent, b));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut sizes = vec![0_usize; nodes];
    for node in 0..nodes {
        sizes[root(&mut parent, node)] += 1;
    }
    sizes.sort_unstable();
    sizes[nodes - 2] as f64 / nodes as f64
}

/// A blow on the lattice, and what the elastic floe says.
struct Trial {
    blow: Blow,
    speed: f64,
    /// Verdict of the lattice.
    breaks: bool,
    /// Lowest speed at which the lattice breaks.
    threshold: f64,
    /// Force from which on the elastic floe breaks, for each indentation \[N\].
    force: [f64; INDENTATIONS.len()],
}

/// Indentations that are tried, over the side of the floe.
const INDENTATIONS: [f64; 3] = [0.05, 0.1, 0.15];

impl Trial {
    fn draw(random: &mut Random) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let blow = Blow::draw(random);
        let threshold = blow.threshold()?;
        let speed = threshold * 4.0_f64.powf(2.0 * random.next() - 1.0);
        let mut force = [0.0; INDENTATIONS.len()];
        for (force, indentation) in force.iter_mut().zip(INDENTATIONS) {
            *force = blow.critical_force(indentation)?;
        }
        Ok(Self {
            blow,
            speed,
            breaks: blow.breaks(speed)?,
            threshold,
            force,
        })
    }

    /// Logarithms of the effective contact time at the threshold over √(m/(E h)), and of the reduced mass over that of the floe.
    fn logarithms(&self, indentation: usize) -> [f64; 2] {
        let impulse = self.blow.impulse(self.threshold);
        let time = impulse / self.force[indentation];
        let floe = self.blow.floe();
        let ratio = self.blow.mass_ratio;
        [
            (time / (floe.mass / floe.membrane).sqrt()).ln(),
            (ratio / (1.0 + ratio)).ln(),
        ]
    }

    fn agrees(&self, percussion: &fem::Percussion, indentation: usize) -> bool {
        let floe = self.blow.floe();
        let time = percussion.time(&floe, self.blow.mass_ratio * floe.mass);
        let force = self.blow.impulse(self.speed) / time;
        (force >= self.force[indentation]) == self.breaks
    }
}

impl Blow {
    fn floe(&self) -> fem::StruckFloe {
        let ice = Ice::default();
        let area = self.side * self.side;
        fem::StruckFloe {
            mass: ice.density * self.thickness * area,
            area,
            membrane: ice.young * self.thickness,
        }
    }

    /// Impulse of the compression phase of rigid bodies \[N s\].
    fn impulse(&self, speed: f64) -> f64 {
        let mass = self.floe().mass;
        // A square has the moment of inertia m D²/6.
        let turning = 6.0 * self.offset * self.offset;
        speed * mass / (1.0 + 1.0 / self.mass_ratio + turning)
    }

    /// Lowest speed at which the lattice breaks, by bisection to 15 % \[m/s\].
    fn threshold(&self) -> Result<f64, FractureError> {
        let ice = Ice::default();
        let impedance = ice.density * ice.bar_speed();
        let scale = ice.bond_strength(self.side / CELLS) / impedance;
        let (mut low, mut high) = (scale, 200.0 * scale);
        while high / low > 1.15 {
            let middle = (low * high).sqrt();
            if self.breaks(middle)? {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok((low * high).sqrt())
    }

    /// Force from which on the elastic floe breaks \[N\]: energies go with its square.
    fn critical_force(&self, indentation: f64) -> Result<f64, fem::MeshError> {
        const FORCE: f64 = 1e12;
        let half = 0.5 * self.side;
        let square = [[-half, -half], [half, -half], [half, half], [-half, half]];
        // A triangular lattice has ν = 1/3.
        let elasticity = fem::Elasticity {
            poisson: 1.0 / 3.0,
            ..fem::Elasticity::default()
        };
        let mesh = fem::MeshSettings::default();
        let outline = square.map(DVec2::from);
        let floe = fem::FloeModel::new(&outline, self.thickness, &elasticity, &mesh)?;
        let contact = fem::ContactForce {
            point: DVec2::new(-half, self.offset * self.side),
            force: DVec2::new(FORCE, 0.0),
            radius: indentation * self.side,
        };
        let load = fem::Load {
            contacts: vec![contact],
            ..fem::Load::default()
        };
        let settings = fem::CrackSettings {
            smallest_area: SMALLEST_PIECE * self.side * self.side,
            ..fem::CrackSettings::default()
        };
        let ratio = floe.crack(&load, &settings).map_or(0.0, |crack| {
            crack.released / (elasticity.toughness * self.thickness * crack.length)
        });
        Ok(FORCE / ratio.sqrt())
    }
}

/// A hundred blows whose lattices could be run, and how many could not.
fn hundred(seed: u64) -> (Vec<Trial>, usize) {
    let mut random = Random(seed);
    let (mut trials, mut failed) = (Vec::new(), 0);
    while trials.len() < 100 {
        match Trial::draw(&mut random) {
            Ok(trial) => trials.push(trial),
            Err(_) => failed += 1,
        }
    }
    (trials, failed)
}

/// The line of least squares, y = a + b x.
fn line(points: &[[f64; 2]]) -> [f64; 2] {
    let count = points.len() as f64;
    let mean = |i: usize| points.iter().map(|p| p[i]).sum::<f64>() / count;
    let (y, x) = (mean(0), mean(1));
    let slope = points.iter().map(|p| (p[0] - y) * (p[1] - x)).sum::<f64>()
        / points.iter().map(|p| (p[1] - x).powi(2)).sum::<f64>();
    [y - slope * x, slope]
}

fn main() {
    let ((known, failed), (others, other_failed)) = std::thread::scope(|scope| {
        let first = scope.spawn(|| hundred(1));
        let second = hundred(2);
        (first.join().expect("a thread ends"), second)
    });
    for (index, indentation) in INDENTATIONS.into_iter().enumerate() {
        let points: Vec<[f64; 2]> = known.iter().map(|trial| trial.logarithms(index)).collect();
        let [start, mass_exponent] = line(&points);
        let percussion = fem::Percussion {
            contact_time: start.exp(),
            mass_exponent,
            indentation,
        };
        let count = |trials: &[Trial]| {
            let same = trials
                .iter()
                .filter(|trial| trial.agrees(&percussion, index));
            same.count()
        };
        println!(
            "indentation {indentation} D: contact time {:.2} √(m/E h) × (reduced mass/m)^{mass_exponent:.3}, same verdict on {} of 100 blows, and on {} of 100 others",
            percussion.contact_time,
            count(&known),
            count(&others),
        );
    }
    let broken = others.iter().filter(|trial| trial.breaks).count();
    println!(
        "{broken} of the others break; {} blows more had lattices in which lips bounced without end",
        failed + other_failed
    );
}
