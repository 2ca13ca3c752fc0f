const LISTS: Readonly<Record<string, { readonly name: string; readonly what: string }>> = {
  exhibits: { name: 'exhibits', what: 'Every exhibit of the demo' },
  'sharded-exhibits': {
    name: 'shardedExhibits',
    what: 'The exhibits that only a sharded cluster of two shards or more can show',
  },
};

/** The module that lists a folder's exhibits: one for each check, in the order of the checks. */
export function exhibitsIndex(folder: string, checks: readonly string[]): string {
  const list = LISTS[folder];
  if (list === undefined) throw new Error(`No list of exhibits is known for ${folder}.`);
  return [
    '/** Written by `npm run docs`. */',
    "import type { Exhibit } from '../exhibit.js';",
    ...[...checks].sort().map((id) => `import { ${camelCase(id)} } from './${id}.js';`),
    '',
    `/** ${list.what}, in the order of the checks. */`,
    `export const ${list.name}: readonly Exhibit[] = [`,
    ...checks.map((id) => `  ${camelCase(id)},`),
    '];',
    '',
  ].join('\n');
}

function camelCase(id: string): string {
  return id.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
