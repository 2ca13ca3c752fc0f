import { LintError } from '../lint-error.js';
import { absent, type Absent } from '../presence.js';
import { LINE_SCHEMAS, type EvidenceLine, type FooterLine } from './evidence-lines.js';
import { pathText, validParts } from './valid-parts.js';

/** Evidence as JSON holds it. Only numbers that are not finite need a form of their own: that of MongoDB's Extended JSON. */
const DOUBLE = '$numberDouble';

/** The deepest nesting of objects and arrays: more than a server accepts, and fewer than the stack takes. */
const MOST_LEVELS = 500;

const NOT_FINITE: Readonly<Record<string, number>> = { Infinity, '-Infinity': -Infinity, NaN };

type Line = EvidenceLine | Omit<FooterLine, 'sha256'>;
type Fields = Readonly<Record<string, unknown>>;

const FOOTER = LINE_SCHEMAS.footer.omit({ sha256: true });

export interface ValidLine<Of extends Line> {
  /** Null if it says nothing without what was left out. */
  readonly line: Of | null;
  /** The pieces of evidence that are absent for that, by name. */
  readonly lost: Readonly<Record<string, Absent>>;
}

/**
 * A line without what no reader would accept: a piece of evidence is then absent, with the reason, and the options of a
 * collection are unknown.
 *
 * @throws LintError if the file is nothing without it
 */
export function validLine<Of extends Line>(given: Of): ValidLine<Of> {
  const lost: Record<string, Absent> = {};
  const { collection, evidence, ...rest } = given as Of & {
    readonly collection?: unknown;
    readonly evidence?: unknown;
  };
  const of = String((collection as Fields | undefined)?.['namespace'] ?? 'the cluster');
  const lose = (name: PropertyKey, part: string) =>
    (lost[String(name)] ??= absent(
      'malformed',
      `"${String(name)}" of ${of} is not in the file: ${part} does not match the format of evidence.`,
    ));
  const line: Record<string, unknown> = {
    ...(plainData(rest) as Fields),
    ...(typeof collection === 'object' && { collection: plainFields(collection as Fields, () => ({})) }),
    ...(typeof evidence === 'object' && {
      evidence: plainFields(evidence as Fields, (name) => ({ [name]: lose(name, 'it') })),
    }),
  };
  const schema = given.kind === 'footer' ? FOOTER : LINE_SCHEMAS[given.kind];
  const accepted = validParts(schema, line);
  const { omitted } = accepted;
  for (const [part, name, ...path] of omitted)
    if (part === 'evidence' && name !== undefined) lose(name, pathText(path) || 'it');
  const hasLost = Object.keys(lost).length > 0;
  if (hasLost) line['evidence'] = { ...(line['evidence'] as Fields), ...lost };
  const { value, isValid } = hasLost ? validParts(schema, line) : accepted;
  if (!isValid && given.kind !== 'operation')
    throw new LintError(`The evidence of ${of} can't be written: ${omitted.map(pathText).join(', ')} is damaged.`);
  return { line: isValid ? (value as Of) : null, lost };
}

function plainFields(fields: Fields, otherwise: (name: string) => Fields): Fields {
  const plain = Object.entries(fields).map(([name, value]): Fields => {
    try {
      return { [name]: plainData(value) };
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) return otherwise(name);
      throw error;
    }
  });
  return Object.assign({}, ...plain);
}

function plainData(value: unknown): unknown {
  return fromJson(toJson(value));
}

/**
 * The value as JSON can hold it, and as it is read back. The errors of absent evidence are left out: they may quote values.
 *
 * @throws TypeError if it is no plain data, and would be lost; RangeError if it is nested too deeply
 */
export function toJson(value: unknown, level = 0): unknown {
  assertLevel(level);
  if (typeof value === 'number' && !Number.isFinite(value)) return { [DOUBLE]: String(value) };
  if (typeof value !== 'object' || value === null) {
    if (value !== null && !['number', 'string', 'boolean'].includes(typeof value)) throw notPlain(typeof value);
    return value;
  }
  if (Array.isArray(value)) return value.map((element) => toJson(element, level + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notPlain(value.constructor.name);
  const isAbsent = 'present' in value && value.present === false;
  const fields = Object.entries(value).filter(
    ([name, field]) => field !== undefined && !(isAbsent && name === 'error'),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, toJson(field, level + 1)]));
}

/** The reverse of {@link toJson}. @throws RangeError if it is nested too deeply */
export function fromJson(value: unknown, level = 0): unknown {
  assertLevel(level);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => fromJson(element, level + 1));
  for (const [name, field] of Object.entries(value)) {
    if (name === DOUBLE && typeof field === 'string' && field in NOT_FINITE) return NOT_FINITE[field];
    const read = fromJson(field, level + 1);
    if (read !== field) (value as Record<string, unknown>)[name] = read;
  }
  return value;
}

function assertLevel(level: number): void {
  if (level > MOST_LEVELS) throw new RangeError('Evidence is not nested so deeply.');
}

function notPlain(what: string): TypeError {
  return new TypeError(`Evidence is plain data; got ${what}.`);
}
