import type { Drift, NotCompared } from '../drift/drift.js';
import { formatCount, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import type { Report } from './report.js';
import type { Entry, Limits, Section } from './section.js';

/** What differs from the last run and from a sibling. */
export function driftsOf({ drift, siblingDrift }: Pick<Report, 'drift' | 'siblingDrift'>): Drift[] {
  return [drift, siblingDrift].flatMap((each) => each ?? []);
}

/** How much differs, and what was not compared: never an all-clear while something is unread. */
export function driftSentences({ differences, compared, notCompared, ...names }: Drift): string[] {
  const declared = differences.filter((difference) => difference.declared).length;
  const others = differences.length - declared;
  const between = `between ${names.old} and ${names.new}`;
  const further = others === 0 ? '' : `, ${formatCount(others)} of data, sizes and servers`;
  return [
    `Drift ${between}: ${plural(declared, 'schema difference')}${further} (${plural(compared, 'collection')} compared).`,
    ...(notCompared.length === 0 ? [] : [`Not compared: ${plural(notCompared.length, 'part')}.`]),
  ];
}

/** What differs, by namespace, and what one of the runs does not know. */
export function driftSections({ drift, siblingDrift }: Report, limits: Limits): Section[] {
  const section = (id: string, heading: string, of: Drift | undefined): Section[] => {
    if (of === undefined) return [];
    const entries = [...loneEntries(of, limits), ...differingEntries(of, limits), ...unreadEntries(of, limits)];
    return [{ id, heading, count: null, intro: driftSentences(of).join(' '), entries }];
  };
  return [...section('drift', 'Drift', drift), ...section('drift-2', 'Drift from the sibling', siblingDrift)];
}

function loneEntries({ differences, old, new: newer }: Drift, limits: Limits): Entry[] {
  const only = (side: 'old' | 'new', run: string): Entry[] => {
    const lone = differences.filter((each) => each.subject === 'collection' && each.in === side);
    const names = lone.flatMap(({ namespace }) => namespace ?? []);
    return names.length === 0 ? [] : [{ head: [`Collections only in ${run}`], ...cutNames(names, limits) }];
  };
  return [...only('old', old), ...only('new', newer)];
}

function differingEntries({ differences }: Drift, limits: Limits): Entry[] {
  const named = differences.filter(({ subject }) => subject !== 'collection');
  const shown = named.slice(0, limits.lines);
  const left = named.length - shown.length;
  const entries = [...groupedBy(shown, ({ namespace }) => namespace)].map(([namespace, group]): Entry => {
    const head = namespace === null ? 'Servers' : { code: namespace };
    return { head: [head], lines: group.map(({ message }) => message) };
  });
  return left === 0
    ? entries
    : [...entries, { head: [`and ${formatCount(left)} more; --verbose lists all`], tone: 'aside' }];
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

function unreadEntries({ notCompared }: Drift, limits: Limits): Entry[] {
  const groups = groupedBy(notCompared, ({ subject, side, reason }) => JSON.stringify([subject, side, reason]));
  return [...groups.values()].map((group): Entry => {
    const [{ subject, reason, detail }] = group as [NotCompared];
    const what = subject === 'index' ? (OF_INDEXES[reason] ?? SUBJECTS.index) : SUBJECTS[subject];
    const places = group.flatMap(({ namespace, name }) =>
      namespace === null ? [] : [name === null ? namespace : `${namespace} ${name}`],
    );
    const asides = [`${places.length > 1 ? 'For example: ' : ''}${detail}`];
    return { head: [`Not compared: ${what}`], tone: 'caution', ...cutNames(places, limits), asides };
  });
}

function cutNames(names: readonly string[], limits: Limits): Pick<Entry, 'names' | 'count'> {
  return { names: names.slice(0, limits.names), count: names.length };
}
