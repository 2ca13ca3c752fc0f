import type { z } from 'zod';
import type { NameKind } from '../../names.js';
import { type Names, renamed } from '../renamed.js';
import type { Pseudonyms } from './pseudonyms.js';

/** What stands for a direction in an index key. */
const INDEX_KINDS = new Set(['hashed', 'text', '2d', '2dsphere', '2dsphere_bucket', 'geoHaystack']);

/**
 * A line of an evidence file with pseudonyms in place of all names. What the schema allows to be any text is a name, unless
 * it is known to be none: so what is added later can't slip through.
 *
 * @param line plain data as the schema describes it
 */
export function pseudonymisedLine(line: unknown, schema: z.ZodType, names: Pseudonyms): unknown {
  return renamed(line, schema, new PseudonymousNames(names));
}

/** Pseudonyms by what a text names. */
class PseudonymousNames implements Names {
  readonly name = (name: string) => this.names.of(name);
  readonly namespace = this.name;

  constructor(private readonly names: Pseudonyms) {}

  of(text: string, kind: NameKind | null): string {
    switch (kind) {
      case 'sentence':
        // Told apart: reasons that are the same are of one cause.
        return `the details are left out, as they may hold names (case ${this.names.mark(text)}).`;
      case 'index kind':
        return INDEX_KINDS.has(text) ? text : this.names.of(text);
      case 'index':
        return text.startsWith('{ ') ? this.plan(text) : this.names.of(text);
      case 'plan':
        return this.plan(text);
      case 'member':
        return this.member(text);
      default:
        return this.names.of(text);
    }
  }

  private plan(summary: string): string {
    return summary.replaceAll(/([{,] )([^,{}]+)(: )/g, (_, before: string, path: string, after: string) => {
      return `${before}${this.names.of(path)}${after}`;
    });
  }

  /** "the primary", "secondary 1", "a member of shard sh1" */
  private member(text: string): string {
    const [, start, name] = /^(a member of shard )(.+)$/s.exec(text) ?? [];
    if (name !== undefined) return `${start}${this.names.of(name)}`;
    return /^(?:the (?:server|primary|primaries|secondaries)|secondary \d+|a member)$/.test(text)
      ? text
      : this.names.of(text);
  }
}
