import type { AnyBulkWriteOperation } from 'mongodb';
import type { KeptText } from '../files/kept-text.js';
import { idOf, KINDS, storedLine, type Kind, type StoredLine } from './stored-line.js';

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
