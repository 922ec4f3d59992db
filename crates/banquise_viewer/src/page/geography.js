// Longitude and latitude of points of the plane: the oblique stereographic projection of WGS 84 (Snyder 1987, p. 157–161), as in
// the module `geography` of banquise_io.

const RADIUS = 6378137, FLATTENING = 1 / 298.257223563;
const ECCENTRICITY = Math.sqrt(FLATTENING * (2 - FLATTENING));
const DEGREE = Math.PI / 180;

/** Conformal latitude of a geodetic one (Snyder 3-1). */
function conformal(latitude) {
  const s = ECCENTRICITY * Math.sin(latitude);
  const tangent = Math.tan(Math.PI / 4 + latitude / 2) * ((1 - s) / (1 + s)) ** (ECCENTRICITY / 2);
  return 2 * Math.atan(tangent) - Math.PI / 2;
}

/** Geodetic latitude of a conformal one (Snyder 3-4); each round gains two to three digits. */
function geodetic(latitude) {
  let found = latitude;
  for (let round = 0; round < 8; round++) {
    const s = ECCENTRICITY * Math.sin(found);
    found = 2 * Math.atan(Math.tan(Math.PI / 4 + latitude / 2) * ((1 + s) / (1 - s)) ** (ECCENTRICITY / 2)) - Math.PI / 2;
  }
  return found;
}

export class Earth {
  /** The plane that touches the Earth at a point, in degrees. */
  constructor([longitude, latitude]) {
    const latitudeRad = latitude * DEGREE, own = conformal(latitudeRad), s = ECCENTRICITY * Math.sin(latitudeRad);
    this.longitude = longitude * DEGREE;
    [this.sin, this.cos] = [Math.sin(own), Math.cos(own)];
    this.radius = RADIUS * Math.cos(latitudeRad) / (Math.sqrt(1 - s * s) * this.cos);
  }

  /** Degrees east and north of a point of the plane, in metres. */
  toDegrees(x, y) {
    const u = x / (2 * this.radius), v = y / (2 * this.radius), square = u * u + v * v;
    const east = 2 * u / (1 + square), north = 2 * v / (1 + square), up = (1 - square) / (1 + square);
    const polar = this.sin * up + this.cos * north, outward = this.cos * up - this.sin * north;
    const longitude = (this.longitude + Math.atan2(east, outward)) / DEGREE;
    return [longitude - 360 * Math.floor((longitude + 180) / 360), geodetic(Math.atan2(polar, Math.hypot(east, outward))) / DEGREE];
  }

  /** The point of the plane at degrees east and north. */
  toPlane(longitude, latitude) {
    const own = conformal(latitude * DEGREE), turn = longitude * DEGREE - this.longitude;
    const sin = Math.sin(own), cos = Math.cos(own);
    const up = this.sin * sin + this.cos * cos * Math.cos(turn), scale = 2 * this.radius / (1 + up);
    return [scale * cos * Math.sin(turn), scale * (this.cos * sin - this.sin * cos * Math.cos(turn))];
  }
}

/** Degrees as maps write them: 81.9° N. */
export function degrees(value, decimals, [positive, negative]) {
  return `${Math.abs(value).toFixed(decimals)}° ${value < 0 ? negative : positive}`;
}
