"""A drift study, from scenario to figure: how drift depends on the thickness of the ice.

The built-in scenario `deviation`, one disc under a steady wind, is run for some thicknesses. Wind and water push on the area,
the Earth's rotation on the mass: thick ice sets out later, drifts more slowly, and further to the right of the wind.

    python drift_study.py [FOLDER]

writes runs and figure to a new folder, `drift-study` where none is named.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import banquise

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "drift-study")
thicknesses = [0.5, 1.0, 2.0, 4.0]
figure, (speeds, place) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for thickness in thicknesses:
    simulation = banquise.Simulation.from_scenario(
        "deviation",
        overrides={"floe[0].thickness": f"{thickness} m", "time.duration": "1 d"},
    )
    run = simulation.run(out=folder / f"h-{thickness}", report=False)
    dataset = banquise.open(run)
    hours = dataset["time"].values / 3600.0
    speeds.plot(hours, dataset.banquise.speed[:, 0], label=f"{thickness:g} m")
    # Means over the last inertial period, some twelve hours.
    last = dataset.isel(body=0, time=hours >= 12.0).mean("time")
    drift = complex(last["velocity_x"], last["velocity_y"])
    wind = complex(last["wind_x"], last["wind_y"])
    angle = np.degrees(np.angle(wind / drift))
    print(f"{thickness:g} m: {abs(drift):.4f} m/s, {angle:.1f} degrees to the right of the wind")
speeds.set_xlabel("time [h]")
speeds.set_ylabel("speed [m/s]")
speeds.set_title("One floe under a steady wind")
speeds.legend(title="thickness")
speeds.grid(alpha=0.3)

# A pack in the same figure: the floes of `ship` when it is among them.
simulation = banquise.Simulation.from_scenario("ship")
simulation.run(out=folder / "ship", report=False)
banquise.open(folder / "ship").banquise.plot(600.0, ax=place)
figure.savefig(folder / "drift_study.png", dpi=150)
print(f"figure: {folder / 'drift_study.png'}")
