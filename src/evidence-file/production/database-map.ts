import { LintError } from '../../lint-error.js';
import { databaseOf, nameOf } from '../../namespace.js';

/** How databases of the linted cluster are named in production. */
export interface DatabaseMap {
  /** The namespace's name in production; null if its database is another one's there. */
  toProduction(namespace: string): string | null;
  /** The name here of a namespace of production; null if its database is another one's here. */
  toHere(namespace: string): string | null;
  readonly given: readonly (readonly [here: string, production: string])[];
}

/** What a database may not be named by. Source: MongoDB manual, "Naming Restrictions". */
const NO_NAME = /[/\\. "$*<>:|?=]/;

/** Half a sentence whose subject is the mapping, or null if it can be used. */
export function mappingFault(mapping: string): string | null {
  const [here = '', production = '', ...further] = mapping.split('=');
  if (further.length > 0 || here === '' || production === '') return 'is not of the form FROM=TO, as in shop_test=shop';
  return NO_NAME.test(here) || NO_NAME.test(production) ? 'names databases, without collections and globs' : null;
}

/** All other databases have the same name in both. @throws LintError if one is no mapping, or two are of one database */
export function databaseMap(mappings: readonly string[]): DatabaseMap {
  const here = new Map<string, string>();
  const there = new Map<string, string>();
  for (const mapping of mappings) {
    const fault = mappingFault(mapping);
    if (fault !== null) throw new LintError(`map: ${mapping} ${fault}.`);
    const [from = '', to = ''] = mapping.split('=');
    if (here.has(from)) throw new LintError(`map: ${from} is given twice, as ${here.get(from)} and as ${to}.`);
    if (there.has(to))
      throw new LintError(`map: ${there.get(to)} and ${from} are both ${to} in production: lint one at a time.`);
    here.set(from, to);
    there.set(to, from);
  }
  return {
    given: [...here],
    toProduction: (namespace) => renamed(namespace, here, there),
    toHere: (namespace) => renamed(namespace, there, here),
  };
}

function renamed(
  namespace: string,
  names: ReadonlyMap<string, string>,
  taken: ReadonlyMap<string, string>,
): string | null {
  const database = databaseOf(namespace);
  const name = names.get(database) ?? (taken.has(database) ? null : database);
  return name === null ? null : `${name}.${nameOf(namespace)}`;
}
