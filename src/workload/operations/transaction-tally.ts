import { z } from 'zod';
import { figureIn, numberIn } from '../../connect/answer.js';
import { groupedBy } from '../../grouped-by.js';
import { ofKind } from '../../names.js';
import { figureSchema, timeSchema, type Plain } from '../../plain.js';
import { MS_PER_SECOND } from '../../time-units.js';
import { BoundedMap } from './bounded-map.js';
import { WRITTEN } from './read-entry.js';

/** Transactions held in memory, of each of which some 200 bytes are kept. Entries of further ones are counted. */
export const MOST_TRANSACTIONS = 20_000;

/** What was recorded of transactions that write to one collection most. */
export const transactionsSchema = z.strictObject({
  /** Null if their lines in the log alone were recorded, which name no collection. */
  namespace: ofKind('namespace').nullable(),
  /** Those that they write to beside it. */
  others: z.array(ofKind('namespace')),
  sources: z.array(z.enum(['profiler', 'logFile', 'recentLog'])),
  executions: figureSchema,
  /** When the first began and the last ended, in ms since 1970. */
  from: timeSchema,
  to: timeSchema,
  /** Inserted, modified or deleted by the largest. */
  mostDocuments: figureSchema,
  /** For the longest transaction: how long it was open, and the part in which it waited for its client; null if its line is missing. */
  longestMs: z.number().nonnegative(),
  idleMs: z.number().nonnegative().nullable(),
});

export type Transactions = Plain<typeof transactionsSchema>;
export type TransactionSource = Transactions['sources'][number];

/** Identifies the transaction that a command belongs to; null outside of one. Retryable writes have a number, too. */
export function transactionOf({ autocommit, lsid, txnNumber }: Readonly<Record<string, unknown>>): string | null {
  if (autocommit !== false || txnNumber === undefined) return null;
  const id = (lsid as { readonly id?: unknown } | null | undefined)?.id;
  const session = (id as { readonly $uuid?: unknown } | null | undefined)?.$uuid ?? id;
  return `${String(session)} ${String(txnNumber)}`;
}

/** The part of an execution that matters here. */
interface Statement {
  readonly transaction: string | null;
  readonly at: number;
  readonly recorded: { readonly milliseconds?: number; readonly documentsWritten?: number };
  readonly shape: { readonly namespace: string };
}

interface Transaction {
  from: number;
  to: number;
  documents: number;
  idleMs: number | null;
  readonly written: Map<string, number>;
  readonly sources: Set<TransactionSource>;
}

/** Puts transactions together from their statements, and from the line that the log has of each slow one. */
export class TransactionTally {
  readonly #byId = new BoundedMap<Transaction>(MOST_TRANSACTIONS);

  /** @param since what ended before is left out, in ms since 1970; null for nothing */
  constructor(private readonly since: number | null = null) {}

  /** Entries of transactions beyond those that are held. */
  get leftOut(): number {
    return this.#byId.leftOut;
  }

  statement(source: TransactionSource, execution: Statement): void {
    const { transaction, at, recorded, shape } = execution;
    if (transaction === null) return;
    const { milliseconds = 0, documentsWritten = 0 } = recorded;
    const known = this.#at(transaction, at - milliseconds, at, source);
    if (known === null || documentsWritten === 0) return;
    known.written.set(shape.namespace, (known.written.get(shape.namespace) ?? 0) + documentsWritten);
  }

  /** @param fields the attributes of its line (`TXN`, id 51802, 4.4 and later) */
  ended(source: TransactionSource, at: number, fields: Readonly<Record<string, unknown>>): void {
    const id = transactionOf((fields['parameters'] ?? {}) as Record<string, unknown>);
    if (id === null) return;
    const known = this.#at(id, at - (figureIn(fields, 'durationMillis') ?? 0), at, source);
    if (known === null) return;
    const written = WRITTEN.map((name) => figureIn(fields, name) ?? 0);
    known.documents = written.reduce((sum, count) => sum + count, 0);
    const idle = numberIn(fields, 'timeInactiveMicros');
    known.idleMs = idle === null || idle < 0 ? null : idle / MS_PER_SECOND;
  }

  summary(): Transactions[] {
    return [...groupedBy(this.#byId.values(), (each) => mostWritten(each)[0] ?? null)].map(([namespace, all]) => {
      const longest = all.reduce((one, other) => (other.to - other.from > one.to - one.from ? other : one));
      return {
        namespace,
        others: [...new Set(all.flatMap((each) => mostWritten(each).slice(1)))].sort(),
        sources: [...new Set(all.flatMap(({ sources }) => [...sources]))].sort(),
        executions: all.length,
        from: Math.min(...all.map(({ from }) => from)),
        to: Math.max(...all.map(({ to }) => to)),
        mostDocuments: Math.max(...all.map(documentsOf)),
        longestMs: longest.to - longest.from,
        idleMs: longest.idleMs,
      };
    });
  }

  #at(id: string, from: number, to: number, source: TransactionSource): Transaction | null {
    if (this.since !== null && to < this.since) return null;
    const known = this.#byId.at(id, () => ({
      from,
      to,
      documents: 0,
      idleMs: null,
      written: new Map(),
      sources: new Set(),
    }));
    if (known === null) return null;
    known.from = Math.min(known.from, from);
    known.to = Math.max(known.to, to);
    known.sources.add(source);
    return known;
  }
}

function mostWritten({ written }: Transaction): string[] {
  return [...written].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([namespace]) => namespace);
}

/** Not all statements may have been recorded, and a log may hold no line of the whole. */
function documentsOf({ documents, written }: Transaction): number {
  return Math.max(
    documents,
    [...written.values()].reduce((sum, count) => sum + count, 0),
  );
}
