import type { z } from 'zod';
import { type Names, renamed } from '../renamed.js';
import type { Pseudonyms } from './pseudonyms.js';

/** Texts that are no names, by their fields: versions, times, units, and settings of the server. */
const KEPT_TEXTS = new Set([
  'version',
  'startedAt',
  'finishedAt',
  'sha256',
  'granularity',
  'start',
  'stop',
  'level',
  'action',
  'default_language',
  'pseudonyms',
  'hashes',
]);
/** Settings of the server, which hold no names. */
const KEPT = new Set(['collation', 'tool', 'engine']);
/** Options of the server by its own names, and numbers. */
const KEPT_KEYS = new Set(['furtherOptions', 'stages', 'operations', 'shardsContacted']);
/** Sentences, which may name anything. */
const SENTENCES = new Set(['detail', 'limits', 'historyFault']);

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
  readonly namespace = (name: string) => this.names.of(name);
  readonly name = this.namespace;
  readonly database = this.namespace;

  constructor(private readonly names: Pseudonyms) {}

  index(name: string): string {
    return name.startsWith('{ ') ? this.plan(name) : this.names.of(name);
  }

  plan(summary: string): string {
    return summary.replaceAll(/([{,] )([^,{}]+)(: )/g, (_, before: string, path: string, after: string) => {
      return `${before}${this.names.of(path)}${after}`;
    });
  }

  isKept(field: string, part: 'value' | 'keys'): boolean {
    return (part === 'value' ? KEPT : KEPT_KEYS).has(field);
  }

  text(text: string, field: string): string {
    // Told apart: reasons that are the same are of one cause.
    if (SENTENCES.has(field))
      return `the details are left out, as they may hold names (case ${this.names.mark(text)}).`;
    if (KEPT_TEXTS.has(field)) return text;
    if (field === 'key value' && INDEX_KINDS.has(text)) return text;
    if (field === 'node' || field === 'member') return this.member(text);
    return this.names.of(text);
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
