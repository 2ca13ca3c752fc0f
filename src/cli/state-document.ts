import { createHash } from 'node:crypto';
import type { AnyBulkWriteOperation, Collection, MongoServerError } from 'mongodb';
import { z } from 'zod';
import { FileFault } from '../files/file-fault.js';
import type { KeptText } from '../files/kept-text.js';
import { HISTORY_HEADER, isHistoryLine } from '../growth/history-file.js';
import { formatBaseline, isBaselineLine } from '../policy/baseline-file.js';
import { MS_PER_DAY } from '../time-units.js';
import { isDeclaredLine } from './nightly-drift.js';
import { type Message, messageIn, MOST_KEPT, type UnsentMessages } from './unsent-messages.js';

interface KindOfLine {
  /** After which it is dropped, unless a run writes it again; null for what stays. */
  readonly days: number | null;
  /** Absent for what needs not be parsed. */
  readonly isValid?: (line: string) => boolean;
  /** Before the lines of a text. */
  readonly header?: string;
}

/** What a document is about. */
const KINDS = {
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

type Kind = keyof typeof KINDS;

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
function idOf(kind: Kind, target: string, line: string): string {
  if (kind === 'history') return hashOf([kind, target, line]);
  const { target: of, fingerprint, namespace } = JSON.parse(line) as Readonly<Record<string, string | undefined>>;
  return kind === 'baseline' ? hashOf([kind, of ?? null, fingerprint]) : hashOf([kind, target, namespace ?? null]);
}

export function hashOf(what: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(what)).digest('hex');
}

/** A text whose lines are documents of a state. Its changes are made on what is stored when they are saved. */
export class KeptInState implements KeptText {
  readonly #changes: ((now: string | null) => string | null)[] = [];
  readonly #loaded: string | null;

  /** @param target alias of the target that it is about; null for a baseline, whose entries name theirs */
  constructor(
    readonly name: string,
    private readonly kind: Kind,
    private readonly target: string | null,
    stored: readonly StoredLine[],
  ) {
    this.#loaded = this.#textOf(stored);
  }

  async read(): Promise<string | null> {
    return this.#loaded;
  }

  async change(change: (now: string | null) => string | null): Promise<void> {
    this.#changes.push(change);
  }

  /** What makes of the stored lines what the changes make of their text: each is to change one document. */
  writes(stored: readonly StoredLine[]): AnyBulkWriteOperation<StoredLine>[] {
    const text = this.#textOf(stored);
    const after = this.#changes.reduce((now, change) => change(now) ?? now, text);
    if (after === text) return [];
    const before = new Map(this.#own(stored).map(({ _id, line }) => [_id, line]));
    const lines = this.#linesOf(after ?? '').map((line) => {
      const target = this.target ?? targetIn(line);
      return storedLine(idOf(this.kind, target, line), this.kind, target, line);
    });
    const now = new Map(lines.map((line) => [line._id, line]));
    return [
      ...[...now].flatMap(([_id, line]): AnyBulkWriteOperation<StoredLine>[] => {
        const known = before.get(_id);
        if (known === line.line) return [];
        // Not what another run has made of it since.
        if (known !== undefined) return [{ replaceOne: { filter: { _id, line: known }, replacement: line } }];
        return [{ replaceOne: { filter: { _id }, replacement: line, upsert: true } }];
      }),
      ...[...before].flatMap(([_id, line]): AnyBulkWriteOperation<StoredLine>[] =>
        now.has(_id) ? [] : [{ deleteOne: { filter: { _id, line } } }],
      ),
    ];
  }

  #own(stored: readonly StoredLine[]): StoredLine[] {
    const { kind, target } = this;
    return stored.filter((each) => each.kind === kind && (target === null || each.target === target));
  }

  #textOf(stored: readonly StoredLine[]): string | null {
    const header = 'header' in KINDS[this.kind] ? [(KINDS[this.kind] as { readonly header: string }).header] : [];
    const lines = [...header, ...this.#own(stored).map(({ line }) => line)];
    return lines.length === 0 ? null : `${lines.join('\n')}\n`;
  }

  #linesOf(text: string): string[] {
    const header = 'header' in KINDS[this.kind] ? (KINDS[this.kind] as { readonly header: string }).header : '';
    return text.split('\n').filter((line) => line !== '' && line !== header);
  }
}

function targetIn(line: string): string {
  return (JSON.parse(line) as { readonly target?: string }).target ?? '';
}

const DUPLICATE_KEY = 11000;

/** The length of a message's id, in hexadecimal digits. */
const ID_LENGTH = 32;

/** Keeps messages as documents of a state. Of runs that begin at once and have the same news, the first one keeps and sends it. */
export class UnsentInState implements UnsentMessages {
  /** What the last run left: the same for runs that begin at once. */
  readonly #since: string;

  /**
   * @param of which targets the run is about
   * @param stored what was there when it began
   * @param reason why the server could not be asked, in half a sentence
   */
  constructor(
    private readonly collection: Collection<StoredLine>,
    private readonly of: string,
    private readonly stored: readonly StoredLine[],
    private readonly reason: (error: unknown) => string,
  ) {
    this.#since = stored.find(({ kind }) => kind === 'run')?.line ?? '';
  }

  async waiting(): Promise<readonly Message[]> {
    const unsent = this.stored.filter(({ kind }) => kind === 'unsent').flatMap(({ line }) => messageIn(line) ?? []);
    return unsent.toSorted((one, other) => (one.at < other.at ? -1 : 1)).slice(-MOST_KEPT);
  }

  async keep(news: readonly Omit<Message, 'id'>[]): Promise<readonly Message[]> {
    const kept: Message[] = [];
    for (const message of news) {
      const id = hashOf(['news', this.of, this.#since, message.owner ?? null, message.text]).slice(0, ID_LENGTH);
      const own = { ...message, id };
      if (await this.#insert(storedLine(documentOf(id), 'unsent', this.of, JSON.stringify(own)))) kept.push(own);
    }
    return kept;
  }

  async settle({ id }: Message): Promise<void> {
    const line = storedLine(documentOf(id), 'sent', this.of, '');
    await this.#attempt(() => this.collection.replaceOne({ _id: line._id }, line, { upsert: true }));
  }

  /** False if it is there already. */
  #insert(line: StoredLine): Promise<boolean> {
    return this.#attempt(() =>
      this.collection.insertOne(line).then(
        () => true,
        (error: unknown) => {
          if ((error as MongoServerError).code === DUPLICATE_KEY) return false;
          throw error;
        },
      ),
    );
  }

  async #attempt<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action();
    } catch (error) {
      throw new FileFault(this.reason(error));
    }
  }
}

function documentOf(id: string): string {
  return hashOf(['message', id]);
}
