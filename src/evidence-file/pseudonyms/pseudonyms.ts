import { createHmac } from 'node:crypto';

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
