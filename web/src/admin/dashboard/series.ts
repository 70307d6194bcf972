// Time series and what follows from them, as the server has them.

export const SPANS = ['hour', 'day', 'week', 'quarter'] as const;
export type Span = (typeof SPANS)[number];

export type Name =
  | 'people'
  | 'connections'
  | 'changes'
  | 'storedP50'
  | 'storedP95'
  | 'deliveredP50'
  | 'deliveredP95'
  | 'calls'
  | 'errors'
  | 'memory'
  | 'storage'
  | 'freeDisk';

export interface Series {
  from: number;
  width: number;
  series: Readonly<Record<Name, readonly (number | null)[]>>;
}

export interface Week {
  people: number | null;
  changes: number;
  calls: number;
  errors: number;
  storedP95: number | null;
}

export type Problem =
  | { kind: 'storing'; reason: string }
  | { kind: 'disk'; free: number; days: number | null }
  | { kind: 'latency'; ms: number }
  | { kind: 'log'; count: number }
  | { kind: 'update'; version: string }
  | { kind: 'updateFailed' }
  | { kind: 'backup'; at: number | null; reason: string | null }
  | { kind: 'certificate'; ends: number; days: number }
  | { kind: 'plugin'; name: string; reason: string | null };

export interface Overview {
  health: readonly Problem[];
  // This one, and the one before.
  weeks: readonly [Week | null, Week | null];
  storage: {
    freeDisk: number | null;
    bytesPerDay: number | null;
    daysLeft: number | null;
    // `null` while it is being looked at.
    pads: {
      at: number;
      texts: number;
      history: number;
      chat: number;
      largest: readonly { id: string; bytes: number }[];
    } | null;
  };
}
