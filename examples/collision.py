"""A collision by hand: a square floe strikes a disc off its centre.

Built from arrays, stepped until they part, and held against the laws of impact: momentum is kept, energy is lost, and
the impulse is the one that the contact problem alone gives.

    python collision.py [FIGURE.png]
"""

import sys

import numpy as np

import banquise

square = [[-50.0, -50.0], [50.0, -50.0], [50.0, 50.0], [-50.0, 50.0]]
simulation = banquise.Simulation.from_arrays(
    [square, 40.0],
    positions=[[0.0, 0.0], [120.0, 30.0]],
    velocities=[[1.0, 0.0], [0.0, 0.0]],
    thicknesses=[1.0, 2.0],
    names=["square", "disc"],
    friction=0.3,
    restitution=0.5,
)
masses, inertias = simulation.masses, simulation.inertias
energy, momentum = simulation.kinetic_energy, np.array(simulation.momentum)

# Step until they have met, with the states before and after.
frames = [simulation.placed_outlines()]
while simulation.contact["impacts"] == 0:
    before = simulation.positions, simulation.velocities
    simulation.step()
frames.append(simulation.placed_outlines())
velocities, spins = simulation.velocities, simulation.angular_velocities

print(f"they meet after {simulation.time:.1f} s")
print(f"momentum kept to {np.abs(simulation.momentum - momentum).max() / momentum[0]:.1e} of it")
print(f"energy left: {simulation.kinetic_energy / energy:.4f}")
print(f"the square goes on with {velocities[0]} m/s, the disc with {velocities[1]} m/s")

# The same impact as a contact problem. The right side of the square is the line of contact.
(square_at, disc_at), _ = before
answer = banquise.solve(
    {
        "bodies": [
            {"mass": masses[0], "inertia": inertias[0], "position": square_at, "velocity": [1.0, 0.0, 0.0]},
            {"mass": masses[1], "inertia": inertias[1], "position": disc_at, "velocity": [0.0, 0.0, 0.0]},
        ],
        "contacts": [
            {
                "a": 0,
                "b": 1,
                "point": [square_at[0] + 50.0, disc_at[1]],
                "normal": [1.0, 0.0],
                "friction": 0.3,
                "restitution": 0.5,
            }
        ],
    }
)
alone = np.array(answer["velocities"])
print(f"impulse {answer['impulses'][0][0]:.6g} N s along the normal, residual {answer['residual']:.1e}")
# The simulation lets them touch a little before the outlines meet, at the closest points of both.
difference = np.abs(alone[:, :2] - velocities).max()
print(f"the problem alone gives the same velocities to {difference:.1e} m/s")
assert difference < 1e-2 and answer["residual"] < 1e-9
assert simulation.kinetic_energy < energy

# Go on, and draw where they went.
for _ in range(3):
    simulation.advance_to(simulation.time + 60.0)
    frames.append(simulation.placed_outlines())
if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    for age, (first, second) in enumerate(frames):
        shade = 0.2 + 0.8 * age / (len(frames) - 1)
        axes.fill(*first.T, facecolor="#1f77b4", edgecolor="black", alpha=shade, linewidth=0.6)
        axes.fill(*second.T, facecolor="#ff7f0e", edgecolor="black", alpha=shade, linewidth=0.6)
    axes.set_aspect("equal")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    axes.set_title("A square strikes a disc: darker is later")
    figure.savefig(sys.argv[1], dpi=150)
    print(f"figure: {sys.argv[1]}")
