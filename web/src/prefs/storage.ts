// What the browser keeps for us, where it lets us.
//
// Invariant: never throws. In a private window or in a frame of another site reading gives null and
// writing does nothing; the page works the same and forgets.

const PREFIX = 'padsvc:';

export function read(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
  } catch {
    return null;
  }
}

export function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Refused or full.
  }
}

export function remove(name: string): void {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Refused.
  }
}
