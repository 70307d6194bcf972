// What the server says about updates, and what follows from it.

export interface Status {
  // `null` for those who may not know it: people who are signed out, as after a restart.
  currentVersion: string | null;
  latest: { version: string; tag: string; body?: string; htmlUrl?: string } | null;
  lastCheckAt: string | null;
  installMethod: string;
  tier: (typeof TIERS)[number];
  policy: { canManual: boolean; reason: string } | null;
  execution: Execution;
  lastResult: { outcome: Outcome; at: string; targetTag?: string; reason?: string | null } | null;
  lockHeld: boolean;
  maintenanceWindow: { start: string; end: string; tz: string } | null;
  windowIsOpen: boolean | null;
  nextWindowOpensAt: string | null;
  // Where there are several nodes. `updating` is the address of the one whose turn it is.
  roll?: { updating: string | null };
}

export interface Execution {
  status: (typeof STATES)[number];
  targetTag?: string;
  scheduledFor?: string;
  drainEndsAt?: string;
  reason?: string;
}

type Outcome = 'verified' | 'rolled-back' | 'rollback-failed' | 'preflight-failed' | 'cancelled';

export const TIERS = ['off', 'notify', 'manual', 'auto', 'autonomous'] as const;

export const STATES = [
  'idle',
  'scheduled',
  'preflight',
  'preflight-failed',
  'draining',
  'executing',
  'pending-verification',
  'verified',
  'rolling-back',
  'rolled-back',
  'rollback-failed',
] as const;

// What an update goes through, in this order.
export const STEPS = ['preflight', 'draining', 'executing', 'pending-verification'] as const;

export type Action = 'apply' | 'cancel' | 'acknowledge';

export function isNewer({ latest, currentVersion }: Status): boolean {
  return latest !== null && currentVersion !== null && latest.version !== currentVersion;
}

// Something happens, and it will not be long.
export function isUnderWay({ execution }: Status): boolean {
  const { status } = execution;
  return status === 'rolling-back' || STEPS.some((step) => step === status);
}

export function hasFailed({ execution }: Status): boolean {
  return ['preflight-failed', 'rolled-back', 'rollback-failed'].includes(execution.status);
}

// The address of another node that is updated now.
export function otherNode({ execution, roll }: Status): string | null {
  const isFree = execution.status === 'idle' || execution.status === 'verified';
  return isFree ? (roll?.updating ?? null) : null;
}

// What can be asked for now.
export function actions(status: Status): Action[] {
  const { execution, policy, lockHeld } = status;
  if (otherNode(status) !== null) return ['cancel'];
  const apply: Action[] = policy?.canManual && !lockHeld ? ['apply'] : [];
  switch (execution.status) {
    case 'idle':
    case 'verified':
      return apply;
    case 'scheduled':
      return [...apply, 'cancel'];
    case 'preflight':
    case 'draining':
      return ['cancel'];
    case 'preflight-failed':
    case 'rolled-back':
      return ['acknowledge'];
    case 'rollback-failed':
      return ['acknowledge', ...apply];
    default:
      return [];
  }
}

// When what is announced happens.
export function deadline({ execution }: Status): number | null {
  const at = execution.scheduledFor ?? execution.drainEndsAt;
  return at === undefined ? null : Date.parse(at);
}

const MINUTE_MS = 60_000;

// Only the maintenance window is waited for.
export function isDeferred({ execution, nextWindowOpensAt, tier }: Status): boolean {
  if (tier !== 'autonomous' || !execution.scheduledFor || !nextWindowOpensAt) return false;
  const apart = Date.parse(execution.scheduledFor) - Date.parse(nextWindowOpensAt);
  return Math.abs(apart) < MINUTE_MS;
}
