/** Evidence as JSON holds it. Only numbers that are not finite need a form of their own: that of MongoDB's Extended JSON. */
const DOUBLE = '$numberDouble';
/** Of nested objects and arrays: more than a server accepts, and fewer than the stack takes. */
const MOST_LEVELS = 500;
const NOT_FINITE: Readonly<Record<string, number>> = { Infinity, '-Infinity': -Infinity, NaN };

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
