// Curves beside the ice, with a mark at the time one looks at; a click goes to its time.

import { digits, quantity, span } from "./text.js";

const LEFT = 6, RIGHT = 6, TOP = 6, BOTTOM = 14;

export class Charts {
  constructor(place, goTo) {
    this.place = place;
    this.goTo = goTo;
    this.list = [];
  }

  show(charts) {
    if (charts.length !== this.list.length || charts.some((chart, k) => chart.title !== this.list[k].chart.title)) {
      this.place.replaceChildren();
      this.list = charts.map(chart => this.add(chart));
    }
    charts.forEach((chart, k) => { this.list[k].chart = chart; });
  }

  add(chart) {
    const box = document.createElement("div"), head = document.createElement("h3");
    const value = document.createElement("span"), canvas = document.createElement("canvas");
    box.className = "chart";
    head.append(chart.title, value);
    box.append(head, canvas);
    this.place.append(box);
    const item = { chart, canvas, value };
    canvas.addEventListener("click", event => {
      const { left, width } = canvas.getBoundingClientRect();
      const part = (event.clientX - left - LEFT) / (width - LEFT - RIGHT);
      this.goTo(Math.min(Math.max(part, 0), 1) * this.end(item.chart));
    });
    return item;
  }

  end(chart) { return Math.max(chart.time.at(-1) ?? 0, 1e-9); }

  draw(time, theme) {
    for (const item of this.list) this.drawOne(item, time, theme);
  }

  drawOne({ chart, canvas, value }, time, theme) {
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (width === 0) return;
    if (canvas.width !== Math.round(width * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const finite = chart.value.filter(Number.isFinite);
    let low = 0, high = 1e-300;
    for (const number of finite) { low = Math.min(low, number); high = Math.max(high, number); }
    const end = this.end(chart);
    const x = t => LEFT + t / end * (width - LEFT - RIGHT);
    const y = v => TOP + (high - v) / (high - low) * (height - TOP - BOTTOM);
    pen.strokeStyle = theme.css.line;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(LEFT, y(0)); pen.lineTo(width - RIGHT, y(0));
    pen.stroke();
    pen.strokeStyle = theme.css.accent;
    pen.lineWidth = 1.6;
    pen.lineJoin = "round";
    pen.beginPath();
    chart.time.forEach((t, k) => { if (chart.value[k] !== null) pen.lineTo(x(t), y(chart.value[k])); });
    pen.stroke();
    const after = chart.time.findIndex(t => t > time);
    const now = chart.value[after < 0 ? chart.value.length - 1 : Math.max(after - 1, 0)] ?? NaN;
    pen.strokeStyle = theme.css.pick;
    pen.beginPath();
    pen.moveTo(x(Math.min(time, end)), TOP - 2); pen.lineTo(x(Math.min(time, end)), height - BOTTOM);
    pen.stroke();
    pen.fillStyle = theme.css.muted;
    pen.font = "10px system-ui, 'DejaVu Sans', sans-serif";
    pen.textAlign = "left";
    pen.fillText(`to ${chart.unit ? quantity(high, chart.unit) : digits(high)}`, LEFT, height - 3);
    pen.textAlign = "right";
    pen.fillText(span(end), width - RIGHT, height - 3);
    value.textContent = chart.unit ? quantity(now, chart.unit) : digits(now);
  }
}
