/** What a glob is matched against: names, in which "/" and a leading "." are ordinary characters, or paths of files. */
type GlobKind = 'names' | 'paths';

/** The positions of a text at which a part of a glob can end, by those at which it can begin. */
type Part = (text: string, from: ReadonlySet<number>) => ReadonlySet<number>;

type IsMeant = (text: string, position: number) => boolean;

/** Characters. It is parsed by recursion. */
const LONGEST_GLOB = 1_000;
const TOO_LONG = 'has more than 1,000 characters';

/**
 * Matches texts by any of the globs: `*`, `**`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `{1..3}`, `@(a|b)`, `?( )`, `*( )`, `+( )`, `!( )`, a
 * leading `!`, and `\` before a character that stands for itself. All ways are followed at once, so that no glob takes more
 * time than its length times the square of the text's. A glob of more than 1,000 characters matches nothing.
 */
export function globMatcher(globs: readonly string[], kind: GlobKind = 'names'): (text: string) => boolean {
  const all = globs.flatMap((glob) => {
    const [marks, bare] = withoutMarks(glob);
    return glob.length > LONGEST_GLOB ? [] : [{ part: new GlobParser(bare, kind).whole, isMeant: marks % 2 === 0 }];
  });
  return (text) => all.some(({ part, isMeant }) => part(text, new Set([0])).has(text.length) === isMeant);
}

/** Whether it stands for more than itself. */
export function isGlob(text: string): boolean {
  return /[*?[\]{}()\\]|^!/.test(text);
}

/** Half a sentence whose subject is the glob, if its brackets, ranges or length are not as they must be. */
export function syntaxFault(glob: string): string | null {
  return glob.length > LONGEST_GLOB ? TOO_LONG : new GlobParser(withoutMarks(glob)[1], 'names').fault;
}

/** How often it begins with "!", and the rest. */
function withoutMarks(glob: string): readonly [number, string] {
  const [marks = ''] = /^!+(?!\()/.exec(glob) ?? [];
  return [marks.length, glob.slice(marks.length)];
}

/** A glob with a fault stands for itself. */
class GlobParser {
  fault: string | null = null;
  readonly whole: Part;
  private at = 0;

  constructor(
    private readonly glob: string,
    private readonly kind: GlobKind,
  ) {
    const whole = this.sequence('');
    this.whole = this.fault === null ? whole : (text) => new Set(text === glob ? [text.length] : []);
  }

  private sequence(ends: string): Part {
    const parts: Part[] = [];
    while (this.at < this.glob.length && !ends.includes(this.glob.charAt(this.at))) parts.push(this.part());
    return (text, from) => parts.reduce((at, part) => part(text, at), from);
  }

  private part(): Part {
    const [, how, open] = this.taken(/([@?*+!]?)(\()/y) ?? [];
    if (open !== undefined) return this.group(open, ')', '|', how || '@');
    const [, first = '', last = ''] = this.taken(/\{(\w)\.\.(\w)\}/y) ?? [];
    if (first !== '') return this.character((text, at) => text.charAt(at) >= first && text.charAt(at) <= last);
    const [, isNegated, listed] = this.taken(/\[([!^]?)(\]?(?:\\[^]|[^\\\]])*)\]/y) ?? [];
    if (listed !== undefined) return this.listed(listed, isNegated !== '');
    const [stars = ''] = this.taken(/\*+/y) ?? [];
    if (stars !== '') return this.star(stars.length > 1);
    const [, escaped] = this.taken(/\\([^]?)/y) ?? [];
    if (escaped === '') this.fault ??= MALFORMED;
    if (escaped !== undefined) return this.literal(escaped || '\\');
    const char = this.glob.charAt(this.at++);
    if (char === '?') return this.character(() => true);
    if (char === '{') return this.group(char, '}', ',', '@');
    const half = HALVES[char];
    if (half !== undefined) this.fault ??= lacks(half);
    return this.literal(char);
  }

  private taken(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.glob);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  private group(open: string, close: string, separator: string, how: string): Part {
    const ways: Part[] = [];
    do ways.push(this.sequence(separator + close));
    while (this.glob.charAt(this.at++) === separator);
    if (this.glob.charAt(this.at - 1) !== close) this.fault ??= lacks(close);
    if (close === ')' || ways.length > 1) return repeated(ways, how, this.kind);
    const all = [this.literal(open), ...ways, this.literal(close)];
    return (text, from) => all.reduce((each, part) => part(text, each), from);
  }

  private listed(list: string, isNegated: boolean): Part {
    const ranges = [...list.matchAll(/\\?([^])(?:-\\?([^]))?/g)].map(([, first = '', last = first]) => ({
      first,
      last,
    }));
    if (ranges.some(({ first, last }) => first > last)) this.fault ??= MALFORMED;
    const isListed = (char: string) => ranges.some(({ first, last }) => char >= first && char <= last);
    return this.character((text, at) => isListed(text.charAt(at)) !== isNegated);
  }

  private star(isDouble: boolean): Part {
    if (this.kind === 'names') return follow(() => true);
    const isWhole =
      isDouble &&
      /(?:^|[/{,(|])\*+$/.test(this.glob.slice(0, this.at)) &&
      /^(?:[/},)|]|$)/.test(this.glob.slice(this.at));
    const star = follow((text, at) => (isWhole || text[at] !== '/') && !isHidden(text, at));
    if (!isWhole || this.taken(/\//y) === null) return star;
    // Folders in between, or none.
    return repeated([(text, from) => this.literal('/')(text, star(text, from))], '?', this.kind);
  }

  private literal(char: string): Part {
    return step((text, at) => text[at] === char);
  }

  private character(isMeant: IsMeant): Part {
    if (this.kind === 'names') return step(isMeant);
    return step((text, at) => text[at] !== '/' && !isHidden(text, at) && isMeant(text, at));
  }
}

const HALVES: Readonly<Record<string, string>> = { '[': ']', ']': '[', '}': '{', ')': '(' };
const MALFORMED = 'is malformed: write ranges in brackets upwards, as in "[a-z]", and no "\\" at its end';

function lacks(bracket: string): string {
  return `lacks a "${bracket}"; write "\\" before a bracket that stands for itself`;
}

/** A "." at the beginning of a name in a path. */
function isHidden(text: string, at: number): boolean {
  return text[at] === '.' && (at === 0 || text[at - 1] === '/');
}

function step(isMeant: IsMeant): Part {
  return (text, from) => new Set([...from].filter((at) => at < text.length && isMeant(text, at)).map((at) => at + 1));
}

/** Any number of characters. What is added to a set meanwhile is visited, too. */
function follow(isMeant: IsMeant): Part {
  return (text, from) => {
    const ends = new Set(from);
    for (const at of ends) if (at < text.length && isMeant(text, at)) ends.add(at + 1);
    return ends;
  };
}

/** Each beginning is looked at once for a text, however deep such groups are nested. */
function repeated(ways: readonly Part[], how: string, kind: GlobKind): Part {
  let known = new Map<number, ReadonlySet<number>>();
  let of: string | null = null;
  const other = follow((text, at) => kind === 'names' || text[at] !== '/');
  const once = (text: string, at: number): ReadonlySet<number> => {
    const ends = known.get(at) ?? new Set(ways.flatMap((way) => [...way(text, new Set([at]))]));
    known.set(at, ends);
    return ends;
  };
  return (text, from) => {
    if (text !== of) [known, of] = [new Map(), text];
    const ends = new Set(how === '?' || how === '*' ? from : []);
    const begins = new Set(from);
    for (const at of begins) {
      const found = once(text, at);
      if (how === '!') for (const end of other(text, new Set([at]))) if (!found.has(end)) ends.add(end);
      if (how !== '!') found.forEach((end) => ends.add(end));
      if (how === '*' || how === '+') found.forEach((end) => begins.add(end));
    }
    return ends;
  };
}
