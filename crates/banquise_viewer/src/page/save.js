// Pictures and films of what is shown: map, clock and legend in one canvas.

const FILM_TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
const BITS_PER_SECOND = 8e6;
const CAPTION = 46; // CSS pixels below the map

/** Map, title, clock and legend, drawn on a canvas of its own. */
export class Picture {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.pen = this.canvas.getContext("2d");
  }

  /** To be called in the same task as the drawing of the ice: the graphics card forgets it afterwards. */
  draw({ under, ice, over, ratio, theme, water, title, clock, legend }) {
    const { canvas, pen } = this;
    // Coders of films want even sides.
    const width = ice.width & ~1, height = (ice.height + Math.round(CAPTION * ratio)) & ~1;
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = theme.css.paper;
    pen.fillRect(0, 0, width, height);
    pen.fillStyle = water;
    pen.fillRect(0, 0, width, ice.height);
    for (const layer of [under, ice, over]) pen.drawImage(layer, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = theme.css.ink;
    pen.font = "600 14px system-ui, 'DejaVu Sans', sans-serif";
    pen.textAlign = "left";
    const base = ice.height / ratio;
    pen.fillText(clock, 12, base + 19);
    pen.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    const right = width / ratio - 12;
    pen.fillText(title, 12, base + 37, right / 2 - 24);
    if (!legend) return;
    const left = right / 2 + 6;
    pen.fillText(legend.name, left, base + 17, right - left);
    pen.imageSmoothingEnabled = false;
    if (legend.low) {
      pen.fillText(legend.low, left, base + 37);
      pen.textAlign = "right";
      pen.fillText(legend.high, right, base + 37);
      const from = left + pen.measureText(legend.low).width + 8, to = right - pen.measureText(legend.high).width - 8;
      if (to > from) pen.drawImage(legend.bar, from, base + 28, to - from, 9);
    }
  }

  async save(name) {
    const blob = await new Promise(done => this.canvas.toBlob(done, "image/png"));
    download(blob, `${name}.png`);
  }
}

/** A film of what is shown until it is stopped. */
export class Film {
  constructor(picture, name) {
    const type = FILM_TYPES.find(type => window.MediaRecorder?.isTypeSupported(type));
    if (!type) throw new Error("This browser cannot record films; `banquise export DIR --to mp4` makes one.");
    this.recorder = new MediaRecorder(picture.canvas.captureStream(), { mimeType: type, videoBitsPerSecond: BITS_PER_SECOND });
    const parts = [];
    this.recorder.ondataavailable = event => parts.push(event.data);
    this.recorder.onstop = () => download(new Blob(parts, { type }), `${name}.${type.slice(6, 10).replace(";", "")}`);
    this.recorder.start();
  }

  stop() { this.recorder.stop(); }
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60e3); // milliseconds
}

/** A title as a file name. */
export function fileName(title, time) {
  const plain = title.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "").toLowerCase();
  return `${plain || "run"}-${Math.round(time)}s`;
}
