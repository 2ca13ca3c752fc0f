import type { Drift } from '../drift/drift-schema.js';
import { formatCount } from '../format.js';
import { driftGroups, loneCollections, notComparedGroups } from './drift-text.js';
import type { Paint } from './paint.js';
import { indented, listed, wrapped } from './text-layout.js';

const INDENT = 2;
/** Differences, and names of a list, that are shown without `all`. */
const SHOWN_DIFFERENCES = 40;
const SHOWN_NAMES = 10;

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
