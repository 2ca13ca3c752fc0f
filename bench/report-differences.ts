/** Texts for people, and moments: two versions of mongolint may differ in them and still say the same. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'message',
  'title',
  'detail',
  'text',
  'steps',
  'window',
  'docs',
  'tool',
  'startedAt',
  'finishedAt',
]);

/** What tells the entries of a list apart, whatever their order. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  findings: ['fingerprint'],
  skipped: ['check', 'namespace', 'reason'],
  collections: ['namespace'],
  checks: ['check'],
};

/** A report's values by where they stand: "findings/1f3a…/evidence/max". */
export type ComparedValues = ReadonlyMap<string, string>;

/** The values of a JSON report that two versions must agree on. */
export function comparedValues(report: unknown): ComparedValues {
  const values = new Map<string, string>();
  const visit = (value: unknown, path: readonly string[]): void => {
    if (Array.isArray(value)) {
      const identity = IDENTITY[path.at(-1) ?? ''];
      const keys = new Map<string, number>();
      for (const [index, item] of value.entries()) {
        const key = identity === undefined ? String(index) : identity.map((name) => String(item?.[name])).join(' ');
        const repeated = keys.get(key) ?? 0;
        keys.set(key, repeated + 1);
        visit(item, [...path, repeated === 0 ? key : `${key} ${repeated + 1}`]);
      }
      return;
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) if (!NOT_COMPARED.has(key)) visit(item, [...path, key]);
      return;
    }
    values.set(path.join('/'), JSON.stringify(value));
  };
  visit(report, []);
  return values;
}

/** Where two reports differ, a line each: "findings/1f3a…/severity: "info" became "warning"". */
export function reportDifferences(before: ComparedValues, after: ComparedValues): Map<string, string> {
  const differences = new Map<string, string>();
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(path), after.get(path)];
    if (was !== is) differences.set(path, `${was ?? 'nothing'} became ${is ?? 'nothing'}`);
  }
  return differences;
}
