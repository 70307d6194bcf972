// How long one step of a test may take on the slowest and busiest machine.

export const PATIENCE_MS = 2 * 60_000;
