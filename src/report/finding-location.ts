import { lineText } from '../code/source-line.js';
import type { Finding, FindingLocation } from '../finding.js';
import { inWords, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';

type Located = Pick<Finding, 'locations' | 'furtherPlaces'>;

const WHAT: Readonly<Record<FindingLocation['of'], string>> = {
  operation: 'operation',
  join: 'join',
  push: 'adds to it',
  index: 'index',
  schema: 'schema',
};

/** The line to annotate: the first that is certain; null without such a line. */
export function certainLocation({ locations = [] }: Located): FindingLocation | null {
  return locations.find(({ certain }) => certain) ?? null;
}

/** "src/orders.ts:42 (join)", "one of src/a.ts:3 and src/b.ts:9 (operation)". Empty if nothing is known of the source. */
export function locationTexts({ locations = [], furtherPlaces }: Located): string[] {
  const groups = groupedBy(locations, ({ of, certain }) => `${of} ${String(certain)}`);
  const named = [...groups.values()].map((group) => {
    const [{ of, certain }] = group as [FindingLocation];
    const lines = inWords(group.map(lineText));
    return `${certain || group.length === 1 ? '' : 'one of '}${lines}${certain || group.length > 1 ? '' : ' or another place'} (${WHAT[of]})`;
  });
  if (furtherPlaces === undefined) return named;
  return [
    ...named,
    `${plural(furtherPlaces, 'place')} may send ${locations.length === 0 ? 'it' : 'others of its operations'}`,
  ];
}

/** The address of a line by a template with `{file}` and `{line}`; null without one. */
export function lineUrl(template: string | undefined, { file, line }: FindingLocation): string | null {
  if (template === undefined || !/^https?:/i.test(template)) return null;
  const path = file.split('/').map(encodeURIComponent).join('/');
  return template.replaceAll('{file}', path).replaceAll('{line}', String(line));
}

/** Whether a finding is about one of these files. */
export function isAbout({ locations = [] }: Located, files: readonly string[]): boolean {
  return locations.some(({ file }) => files.includes(file));
}
