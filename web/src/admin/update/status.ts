// What the server says about updates.

export interface Status {
  currentVersion: string;
  latest: { version: string; tag: string; body?: string; htmlUrl?: string } | null;
  lastCheckAt: string | null;
  installMethod: string;
  tier: string;
  policy: { canManual: boolean; reason: string } | null;
  execution: Execution;
  lastResult: { outcome: string; at: string; targetTag?: string; reason?: string | null } | null;
  maintenanceWindow: { start: string; end: string; tz: string } | null;
  nextWindowOpensAt: string | null;
}

interface Execution {
  status: (typeof STATES)[number];
  targetTag?: string;
  scheduledFor?: string;
  drainEndsAt?: string;
  reason?: string;
}

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

export type Deed = 'apply' | 'cancel' | 'acknowledge';

export function isNewer({ latest, currentVersion }: Status): boolean {
  return latest !== null && latest.version !== currentVersion;
}

// What can be asked for now.
export function deeds({ execution, policy }: Status): Deed[] {
  switch (execution.status) {
    case 'idle':
    case 'verified':
      return policy?.canManual ? ['apply'] : [];
    case 'scheduled':
      return ['apply', 'cancel'];
    case 'preflight':
    case 'draining':
      return ['cancel'];
    case 'preflight-failed':
    case 'rolled-back':
    case 'rollback-failed':
      return policy?.canManual ? ['acknowledge', 'apply'] : ['acknowledge'];
    default:
      return [];
  }
}

// When what is announced happens.
export function deadline({ execution }: Status): number | null {
  const at = execution.scheduledFor ?? execution.drainEndsAt;
  return at === undefined ? null : Date.parse(at);
}
