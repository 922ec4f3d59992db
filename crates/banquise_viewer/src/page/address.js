// What is shown, in the part of the address after `#`, so that a view can be kept, reloaded and sent to a colleague.

const WAIT = 400; // milliseconds: browsers refuse addresses that change more often

/** The words of the address: `#color=speed&view=0,0,5000`. */
export function readAddress() { return Object.fromEntries(new URLSearchParams(location.hash.slice(1))); }

export class Address {
  /** Writes what `tell` gives, a moment after something has changed. */
  constructor(tell) {
    this.tell = tell;
  }

  touch() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    setTimeout(() => { this.isWaiting = false; this.write(); }, WAIT);
  }

  write() {
    const words = Object.entries(this.tell()).filter(([, value]) => value !== null && value !== undefined);
    const text = words.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll("%2C", ",")}`).join("&");
    if (location.hash.slice(1) !== text) history.replaceState(null, "", text ? `#${text}` : location.pathname);
  }
}
