// The numbers of the floe that is chosen.

import { degrees } from "./geography.js";
import { area, digits, duration, quantity } from "./text.js";

const DECIMALS = 3; // of degrees: a hundred metres

const $ = id => document.getElementById(id);

/** Shows the numbers of a floe or an obstacle in its card. */
export function showFloe(floe) {
  const kind = floe.is_obstacle ? "Obstacle" : "Floe";
  $("floe-name").textContent = floe.name ? `${floe.name} (${kind.toLowerCase()} ${floe.id})` : `${kind} ${floe.id}`;
  const speed = Math.hypot(...floe.velocity_m_s);
  const lives = [];
  if (floe.born_s > 0) lives.push(["born", duration(floe.born_s)]);
  if (floe.gone_s !== null) lives.push(["gone", duration(floe.gone_s)]);
  if (floe.parent >= 0) lives.push(["piece of", `floe ${floe.parent} (generation ${floe.generation})`]);
  const motion = [
    ["position", `${quantity(floe.position_m[0], "m")}, ${quantity(floe.position_m[1], "m")}`],
    ...(floe.longitude_latitude_deg ? [["", earthly(floe.longitude_latitude_deg)]] : []),
    ["heading", `${digits(floe.heading_rad * 180 / Math.PI)}°`],
    ["speed", `${digits(speed)} m/s`],
    ["velocity", `${digits(floe.velocity_m_s[0])}, ${digits(floe.velocity_m_s[1])} m/s`],
    ["rotation", `${digits(floe.angular_velocity_rad_s * 180 / Math.PI * 3600)} °/h`],
  ];
  const forces = [
    ["normal impulse so far", quantity(floe.impulse_n_s, "N s")],
    ["contact force", quantity(floe.contact_force_n, "N")],
    ["mean pressure", quantity(floe.pressure_pa ?? NaN, "Pa")],
  ];
  const rows = [
    // One that is not in the world has no place and feels nothing.
    ...(floe.is_there ? motion : [["", "not in the world at this time"]]),
    ["area", area(floe.area_m2)],
    ["thickness", quantity(floe.thickness_m ?? NaN, "m")],
    ["mass", quantity(floe.mass_kg ?? NaN, "kg")],
    ["corners", floe.disc_radius_m ? `disc of ${quantity(floe.disc_radius_m, "m")}` : String(floe.vertices)],
    ...(floe.is_there ? forces : []),
    ...lives,
  ];
  $("floe-numbers").replaceChildren(...rows.flatMap(([name, text]) => {
    const term = document.createElement("dt"), detail = document.createElement("dd");
    term.textContent = name;
    detail.textContent = text;
    return [term, detail];
  }));
}

function earthly([longitude, latitude]) { return `${degrees(latitude, DECIMALS, "NS")}, ${degrees(longitude, DECIMALS, "EW")}`; }
