import { createHash } from 'node:crypto';
import { z } from 'zod';
import { HISTORY_HEADER, isHistoryLine } from '../growth/history-file.js';
import { formatBaseline, isBaselineLine } from '../policy/baseline-file.js';
import { MS_PER_DAY } from '../time-units.js';
import { isDeclaredLine } from './nightly-drift.js';
import { messageIn } from './unsent-messages.js';

interface KindOfLine {
  /** After which it is dropped, unless a run writes it again; null for what stays. */
  readonly days: number | null;
  /** Absent for what needs not be parsed. */
  readonly isValid?: (line: string) => boolean;
  /** Before the lines of a text. */
  readonly header?: string;
}

/** What a document is about. */
export const KINDS = {
  baseline: { days: null, isValid: isBaselineLine, header: formatBaseline([]).trimEnd() },
  history: { days: 400, isValid: isHistoryLine, header: HISTORY_HEADER },
  declared: { days: 400, isValid: isDeclaredLine },
  /** A message that is not known to have been sent. */
  unsent: { days: 30, isValid: (line) => messageIn(line) !== null },
  /** A message that was sent: another run with the same news finds it. */
  sent: { days: 30 },
  report: { days: 400 },
  /** Changes with each run that wrote back what it kept. */
  run: { days: 400 },
} as const satisfies Readonly<Record<string, KindOfLine>>;

export type Kind = keyof typeof KINDS;

const storedSchema = z.object({
  _id: z.string(),
  kind: z.enum(Object.keys(KINDS) as [Kind, ...Kind[]]),
  target: z.string(),
  line: z.string(),
});

/** A line of a text that runs keep for each other, as a document. */
export interface StoredLine extends z.infer<typeof storedSchema> {
  /** Hash of what it is: of one entry of the baseline, or of the whole line. */
  readonly _id: string;
  /** Alias of the target that it is about; empty for the only target of a run. */
  readonly target: string;
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

export function isStoredLine(document: unknown): document is StoredLine {
  const { data } = storedSchema.safeParse(document);
  return data !== undefined && ((KINDS[data.kind] as KindOfLine).isValid?.(data.line) ?? true);
}

export function storedLine(_id: string, kind: Kind, target: string, line: string): StoredLine {
  const savedAt = new Date();
  const { days } = KINDS[kind];
  const end = days === null ? {} : { expiresAt: new Date(savedAt.getTime() + days * MS_PER_DAY) };
  return { _id, kind, target, line, savedAt, ...end };
}

/** An entry of the baseline is one, whatever its severity and sample are, and so is a collection, whatever it declares. */
export function idOf(kind: Kind, target: string, line: string): string {
  if (kind === 'history') return hashOf([kind, target, line]);
  const { target: of, fingerprint, namespace } = JSON.parse(line) as Readonly<Record<string, string | undefined>>;
  return kind === 'baseline' ? hashOf([kind, of ?? null, fingerprint]) : hashOf([kind, target, namespace ?? null]);
}

export function hashOf(what: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(what)).digest('hex');
}
