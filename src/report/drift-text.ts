import type { Drift, NotCompared } from '../drift/drift-schema.js';
import { formatCount, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import type { Paint } from './paint.js';
import type { Report } from './report.js';
import { indented, listed, wrapped } from './text-layout.js';

const INDENT = 2;

/** Differences, and names of a list, that are shown without `all`. */
const SHOWN_DIFFERENCES = 40;

const SHOWN_NAMES = 10;

/** The differences of one namespace; of the servers, without one. */
export interface DriftGroup {
  readonly namespace: string | null;
  readonly messages: readonly string[];
}

/** Collections that only one run has. */
export interface LoneCollections {
  /** "Only in old.jsonl" */
  readonly heading: string;
  readonly namespaces: readonly string[];
}

/** What one cause keeps from being compared. */
export interface NotComparedGroup {
  readonly heading: string;
  /** What it holds for, with the names of indexes. */
  readonly places: readonly string[];
  /** Of the first. */
  readonly detail: string;
}

/** What differs from the run before and from a sibling. */
export function driftsOf({ drift, siblingDrift }: Pick<Report, 'drift' | 'siblingDrift'>): Drift[] {
  return [drift, siblingDrift].flatMap((each) => each ?? []);
}

/** How much differs, and what was not compared: never an all-clear while something is unread. */
export function driftSentences({ differences, compared, notCompared, ...names }: Drift): string[] {
  const declared = differences.filter((difference) => difference.declared).length;
  const others = differences.length - declared;
  const between = `between ${names.old} and ${names.new}`;
  const further = others === 0 ? '' : `, and ${formatCount(others)} of data, sizes and servers`;
  return [
    `Drift ${between}: ${plural(declared, 'difference')} of what is declared${further}, over ${plural(compared, 'collection')} in both.`,
    ...(notCompared.length === 0 ? [] : [`Not compared: ${plural(notCompared.length, 'part')}.`]),
  ];
}

export function driftGroups({ differences }: Drift): DriftGroup[] {
  const named = differences.filter(({ subject }) => subject !== 'collection');
  return [...groupedBy(named, ({ namespace }) => namespace)].map(([namespace, ofNamespace]) => {
    return { namespace, messages: ofNamespace.map(({ message }) => message) };
  });
}

export function loneCollections({ differences, old, new: newer }: Drift): LoneCollections[] {
  const only = (side: 'old' | 'new') =>
    differences.flatMap(({ subject, in: its, namespace }) => {
      return subject === 'collection' && its === side ? (namespace ?? []) : [];
    });
  return [
    { heading: `Collections only in ${old}`, namespaces: only('old') },
    { heading: `Collections only in ${newer}`, namespaces: only('new') },
  ].filter(({ namespaces }) => namespaces.length > 0);
}

const SUBJECTS: Readonly<Record<NotCompared['subject'], string>> = {
  server: 'servers',
  collection: 'collections',
  options: 'options',
  index: 'indexes',
  validator: 'values in validators',
  view: 'values in views',
  field: 'fields and types',
  size: 'sizes',
};

/** What of an index is not compared, though the index is. */
const OF_INDEXES: Partial<Record<NotCompared['reason'], string>> = {
  'not-kept': 'values in partial filters, order of numbered fields',
  'in-build': 'indexes in build',
};

export function notComparedGroups({ notCompared }: Drift): NotComparedGroup[] {
  const groups = groupedBy(notCompared, ({ subject, side, reason }) => JSON.stringify([subject, side, reason]));
  return [...groups.values()].map((entries) => {
    const [{ subject, reason, detail }] = entries as [NotCompared];
    const what = subject === 'index' ? (OF_INDEXES[reason] ?? SUBJECTS.index) : SUBJECTS[subject];
    return { heading: `Not compared: ${what}`, places: entries.flatMap(placeOf), detail };
  });
}

function placeOf({ namespace, name }: NotCompared): string[] {
  if (namespace === null) return [];
  return [name === null ? namespace : `${namespace} ${name}`];
}

/** What differs between two runs, by namespace. Without `all`, long lists are cut and counted. */
export function driftLines(drift: Drift, width: number, paint: Paint, { all }: { readonly all: boolean }): string[] {
  const names = (list: readonly string[]) => listed(list, all ? list.length : SHOWN_NAMES);
  const below = (text: string) => indented(wrapped(text, width - INDENT), INDENT);
  const lone = loneCollections(drift).flatMap(({ heading, namespaces }) => [
    ...wrapped(paint('name', heading), width),
    ...below(names(namespaces)),
  ]);
  let room = all ? Infinity : SHOWN_DIFFERENCES;
  let left = 0;
  const groups = driftGroups(drift).flatMap(({ namespace, messages }) => {
    const shown = messages.slice(0, room);
    room -= shown.length;
    left += messages.length - shown.length;
    return shown.length === 0 ? [] : [paint('name', namespace ?? 'Servers'), ...shown.flatMap(below)];
  });
  const unread = notComparedGroups(drift).flatMap(({ heading, places, detail }) => [
    ...wrapped(paint('caution', heading), width),
    ...(places.length === 0 ? [] : below(names(places))),
    ...below(paint('aside', `${places.length > 1 ? 'for example: ' : ''}${detail}`)),
  ]);
  const more = left === 0 ? [] : [paint('aside', `and ${formatCount(left)} more; --verbose lists all`)];
  return [...lone, ...groups, ...more, ...unread];
}
