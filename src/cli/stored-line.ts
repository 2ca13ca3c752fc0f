import { createHash } from 'node:crypto';

/** What a document is about; `days` after which it is dropped, unless a run writes it again. A baseline stays. */
export const DAYS_KEPT = {
  baseline: null,
  history: 400,
  declared: 400,
  unsent: 30,
  report: 400,
  /** A message that was, or is being sent. */
  sent: 30,
  /** Changes with each run that wrote back what it kept. */
  run: 400,
} as const;
export type Kind = keyof typeof DAYS_KEPT;

/** A line of a file that a run works with. */
export interface StoredLine {
  /** Hash of what it is: of one entry of the baseline, or of the whole line. */
  readonly _id: string;
  readonly kind: Kind;
  /** Alias of the target that it is about; empty for what all share. */
  readonly target: string;
  readonly line: string;
  readonly savedAt: Date;
  readonly expiresAt?: Date;
}

export const SCHEMA = {
  bsonType: 'object',
  required: ['_id', 'kind', 'target', 'line', 'savedAt'],
  properties: {
    _id: { bsonType: 'string' },
    kind: { bsonType: 'string' },
    target: { bsonType: 'string' },
    line: { bsonType: 'string' },
    savedAt: { bsonType: 'date' },
    expiresAt: { bsonType: 'date' },
  },
};

/** An entry of the baseline is one, whatever its severity and sample are, and so is a collection, whatever it declares. */
export function idOf(kind: Kind, target: string, line: string): string {
  if (kind === 'history' || kind === 'unsent') return hashOf([kind, target, line]);
  const { target: of, fingerprint, namespace } = JSON.parse(line) as Readonly<Record<string, string | undefined>>;
  return kind === 'baseline' ? hashOf([kind, of ?? null, fingerprint]) : hashOf([kind, target, namespace ?? null]);
}

export function hashOf(what: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(what)).digest('hex');
}
