import { LintError } from '../../lint-error.js';
import { databaseOf, nameOf } from '../../namespace.js';
import { compareTexts } from '../../text/compare-texts.js';
import { globMatcher } from '../../text/glob.js';

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

/** Stands for any part of a name here, as in shop_test_*: databases of tests that run side by side. */
const ANY = '*';

/** Half a sentence whose subject is the mapping, or null if it can be used. */
export function mappingFault(mapping: string): string | null {
  const [here = '', production = '', ...further] = mapping.split('=');
  if (further.length > 0 || here === '' || production === '') return 'is not of the form FROM=TO, as in shop_test=shop';
  return NO_NAME.test(here.replaceAll(ANY, '')) || NO_NAME.test(production)
    ? 'names databases, without collections; only a "*" in the first one stands for any text'
    : null;
}

/**
 * All other databases have the same name in both. Of those that a "*" matches, one can be linted at a time.
 *
 * @throws LintError if one is no mapping, or two are of one database; from `toProduction`, if a second database matches a "*"
 */
export function databaseMap(mappings: readonly string[]): DatabaseMap {
  const here = new Map<string, string>();
  const there = new Map<string, string>();
  const patterns: { readonly matches: (database: string) => boolean; readonly to: string }[] = [];
  for (const mapping of mappings) {
    const fault = mappingFault(mapping);
    if (fault !== null) throw new LintError(`map: ${mapping} ${fault}.`);
    const [from = '', to = ''] = mapping.split('=');
    if (here.has(from)) throw new LintError(`map: ${from} is given twice, as ${here.get(from)} and as ${to}.`);
    if (there.has(to)) throw bothAre(there.get(to) ?? '', from, to);
    here.set(from, to);
    there.set(to, from);
    if (from.includes(ANY)) patterns.push({ matches: globMatcher([from]), to });
  }
  const given = [...here];
  for (const [from, to] of given.filter(([name]) => name.includes(ANY))) {
    here.delete(from);
    there.delete(to);
  }
  const taken = new Set([...there.keys(), ...patterns.map(({ to }) => to)]);
  const toProduction = (database: string): string | null => {
    const known = here.get(database);
    if (known !== undefined) return known;
    const to = patterns.find(({ matches }) => matches(database))?.to;
    if (to === undefined) return taken.has(database) ? null : database;
    const other = there.get(to) ?? database;
    if (other !== database) throw bothAre(other, database, to);
    here.set(database, to);
    there.set(to, database);
    return to;
  };
  const toHere = (database: string): string | null =>
    there.get(database) ?? (here.has(database) || taken.has(database) ? null : database);
  return {
    given,
    toProduction: (namespace) => renamed(namespace, toProduction),
    toHere: (namespace) => renamed(namespace, toHere),
  };
}

function bothAre(one: string, other: string, to: string): LintError {
  const both = [one, other].sort(compareTexts).join(' and ');
  return new LintError(`map: ${both} are both ${to} in production: lint one at a time.`);
}

function renamed(namespace: string, rename: (database: string) => string | null): string | null {
  const name = rename(databaseOf(namespace));
  return name === null ? null : `${name}.${nameOf(namespace)}`;
}
