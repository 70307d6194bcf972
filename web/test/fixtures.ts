// Reading the shared vectors.
//
// Invariant: a file that is missing or has no rows is an error, never a test that passes because it
// had nothing to do.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = process.env.PADSVC_VECTORS ?? join(import.meta.dirname, '../../fixtures/changeset');

export function readVectors<Row extends { name: string }>(file: string): Row[] {
  const path = join(FOLDER, `${file}.json`);
  const rows: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(rows) || rows.length === 0) throw new Error(`${path} has no rows`);
  return rows as Row[];
}
