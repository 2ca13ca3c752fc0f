import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import type { NameKind } from '../../names.js';
import { type Names, renamed } from '../renamed.js';

/** 26 to this power: among 10,000 words, two get one pseudonym once in 4,000 runs. */
const LETTERS = 8;

const ALPHABET = 26n;

const FIRST_LETTER = 'a'.charCodeAt(0);

/**
 * Names that everybody's databases have, and that verdicts rest on: the server's, those of object mappers, and of GridFS.
 * Sources: `__v` of Mongoose, `_class` of Spring Data, `_cls` of MongoEngine; GridFS specification.
 */
const KEPT = new Set(
  [
    '_id _id_ _fts _ftsx $** $id $ref $db *',
    '__v _class _cls',
    'files chunks files_id n data filename uploadDate',
    'admin config local system',
  ].flatMap((names) => names.split(' ')),
);

/** Positions in arrays, of which a name would be data. */
const POSITION = /^\d{1,3}$/;

const SYSTEM_VARIABLES = new Set(
  'ROOT CURRENT NOW CLUSTER_TIME REMOVE DESCEND PRUNE KEEP SEARCH_META USER_ROLES this value'.split(' '),
);

/** What may be pseudonymised within a name: words, numbers of two digits and more, and characters beyond ASCII. */
const WORDS = /[\p{L}\p{M}]+|\p{N}+|[^\x20-\x7e]+/gu;

/** Stable stand-ins for names, by a secret: the same secret gives the same ones. */
export class Pseudonyms {
  private readonly known = new Map<string, string>();

  constructor(private readonly secret: Buffer) {}

  /** Tells files of different secrets apart. In hexadecimal. */
  get id(): string {
    return this.digest('mongolint: which secret').toString('hex').slice(0, 16);
  }

  /**
   * A namespace, a path or a name. Dots, brackets, `_id`, positions in arrays and what separates words stay, so that what
   * begins or ends alike still does.
   */
  of(name: string): string {
    if (name === '' || KEPT.has(name)) return name;
    const reference = /^\$\$?/.exec(name)?.[0] ?? '';
    const rest = name.slice(reference.length);
    const [first = '', ...others] = partsOf(rest);
    const start = reference === '$$' && SYSTEM_VARIABLES.has(first) ? first : this.ofPart(first);
    return `${reference}${[start, ...others.map((part) => this.ofPart(part))].join('.')}`;
  }

  /** A part of a path: `items`, `items[]`, `*`, `$[element]`, `["a.b"]`. */
  private ofPart(part: string): string {
    if (KEPT.has(part) || POSITION.test(part)) return part;
    return part.replace(WORDS, (word) => this.ofWord(word));
  }

  private ofWord(word: string): string {
    if (/^\p{N}$/u.test(word)) return word;
    const known = this.known.get(word) ?? this.made(word);
    this.known.set(word, known);
    return known;
  }

  private made(word: string): string {
    if (!/^\p{N}+$/u.test(word)) return this.mark(word);
    return this.number(word)
      .toString()
      .slice(-[...word].length);
  }

  /** Letters that stand for a text as a whole. */
  mark(text: string): string {
    let rest = this.number(text);
    return Array.from({ length: LETTERS }, () => {
      const letter = String.fromCharCode(FIRST_LETTER + Number(rest % ALPHABET));
      rest /= ALPHABET;
      return letter;
    }).join('');
  }

  private number(text: string): bigint {
    return BigInt(`0x${this.digest(text).toString('hex')}`);
  }

  private digest(text: string): Buffer {
    return createHmac('sha256', this.secret).update(text).digest();
  }
}

/** At dots, but for those within quotes: `a.["b.c"].d`. Brackets stay with what they follow. */
function partsOf(path: string): string[] {
  return path.match(/(?:\["(?:[^"\\]|\\.)*"\]|[^.])+|(?<=^|\.)(?=\.|$)/g) ?? [''];
}

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
