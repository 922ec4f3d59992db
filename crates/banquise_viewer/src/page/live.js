// The controls of a run that goes on.

import { Lost } from "./run.js";
import { digits } from "./text.js";

const $ = id => document.getElementById(id);
const PACES = [1, 5, 10, 20, 60, 1000];
const RADIUS = 46, MOST = 30; // wind at the rim of the compass, m/s

export class LiveControls {
  constructor(run, tell, follow) {
    this.run = run;
    this.tell = tell;
    this.isChosen = false;
    $("live").hidden = false;
    for (const pace of PACES) {
      const name = pace === 1000 ? "no limit" : `${pace}`;
      $("pace").add(new Option(name, pace, false, pace === 20));
    }
    $("pace").addEventListener("change", () => this.send({ action: "pace", records_per_second: Number($("pace").value) }));
    $("pause").addEventListener("click", () => this.toggle());
    $("step").addEventListener("click", () => { follow(); this.send({ action: "step" }); });
    $("follow").addEventListener("click", follow);
    $("wind-set").addEventListener("click", () => this.blow());
    for (const id of ["wind-x", "wind-y"]) {
      $(id).max = run.state.max_wind;
      $(id).min = -run.state.max_wind;
      $(id).addEventListener("input", () => { this.isChosen = true; this.drawNeedle(); this.note(""); });
      $(id).addEventListener("keydown", event => { if (event.key === "Enter") this.blow(); });
    }
    $("wind-reset").addEventListener("click", () => { this.isChosen = false; this.send({ action: "weather" }); });
    this.watchCompass();
    this.drawNeedle();
  }

  watchCompass() {
    const compass = $("compass");
    const point = event => {
      this.isChosen = true;
      const box = compass.getBoundingClientRect();
      let x = (event.clientX - box.left) / box.width * 100 - 50, y = 50 - (event.clientY - box.top) / box.height * 100;
      const shrink = Math.min(1, RADIUS / Math.hypot(x, y));
      $("wind-x").value = (x * shrink / RADIUS * MOST).toFixed(1);
      $("wind-y").value = (y * shrink / RADIUS * MOST).toFixed(1);
      this.drawNeedle();
    };
    compass.addEventListener("pointerdown", event => { compass.setPointerCapture(event.pointerId); point(event); });
    compass.addEventListener("pointermove", event => { if (event.buttons) point(event); });
    compass.addEventListener("pointerup", () => this.blow());
  }

  drawNeedle() {
    let x = Number($("wind-x").value) / MOST * RADIUS, y = -Number($("wind-y").value) / MOST * RADIUS;
    const shrink = Math.min(1, RADIUS / Math.hypot(x, y));
    x *= shrink; y *= shrink;
    $("needle").setAttribute("x2", x); $("needle").setAttribute("y2", y);
    $("knob").setAttribute("cx", x); $("knob").setAttribute("cy", y);
  }

  /** The wind that blows is the one to start from, until another is chosen. */
  showWind([x, y]) {
    if (this.isChosen) return;
    $("wind-x").value = x.toFixed(1);
    $("wind-y").value = y.toFixed(1);
    this.drawNeedle();
  }

  blow() {
    const [x, y] = ["wind-x", "wind-y"].map(id => $(id).valueAsNumber);
    const speed = Math.hypot(x, y), most = this.run.state.max_wind;
    if (!Number.isFinite(speed)) this.note("Give two numbers.");
    else if (speed > most) this.note(`At most ${most} m/s can be set; this is ${digits(speed)} m/s.`);
    else {
      this.note("");
      this.send({ action: "wind", x, y });
    }
  }

  /** What is wrong with a wish, beside the controls. */
  note(text) { $("live-note").textContent = text; }

  toggle() { return this.send({ action: this.run.state.paused ? "resume" : "pause" }); }

  async send(command) {
    try {
      await this.run.control(command);
    } catch (error) {
      if (error instanceof Lost) this.tell(error);
      else this.note(error.message);
    }
  }

  /** The run has ended: the controls have no effect any more. */
  end() { this.isEnded = true; }

  /** Shows how the run stands. */
  show(state) {
    const isOver = this.isEnded || state.status !== "running";
    $("pause").textContent = state.paused ? "Resume" : "Pause";
    for (const id of ["pause", "step", "pace"]) $(id).disabled = isOver;
    for (const id of ["wind-x", "wind-y", "wind-set", "wind-reset"]) $(id).disabled = isOver || !state.has_drag;
    $("wind-row").title = state.has_drag ? "" : "This scenario has no drag: the wind has no effect";
    $("wind-reset").hidden = state.wind === null;
  }
}
