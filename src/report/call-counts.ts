import { z } from 'zod';
import { type Cause, CAUSE_KINDS, isListed, NOT_READ, type Place } from '../code/place.js';
import { formatCount, plural } from '../format.js';
import { count, growing } from './published-schema.js';

const MOST_CAUSES = 10;

/** How far the calls of the application are understood; tests, migrations, scripts and clients do not count. */
export const callsSchema = z.strictObject({
  understood: count().describe('Those of which the collection and all fields that they ask for are known.'),
  partly: count().describe('Those of which only the collection is known.'),
  notUnderstood: count().describe('Those of which it is not. A line is certain only if none of these can be meant.'),
  mayBeNone: count().describe('Further calls that may be no operations, such as x.find(y).'),
  causes: z
    .array(
      z.strictObject({
        kind: growing(CAUSE_KINDS, 'What they are called on.'),
        name: z.string().nullable().describe('The package that was not read; null for other kinds.'),
        calls: count().describe('How many calls there are.'),
      }),
    )
    .describe('Why the collection of some is not known, the most frequent first; ten at most.'),
});

type CallCounts = z.infer<typeof callsSchema>;
type CausedCalls = CallCounts['causes'][number];
type Understanding = 'understood' | 'partly' | 'notUnderstood';

export function understandingOf({ collection, oneOf, shapes, because }: Place): Understanding {
  if (collection === null && oneOf === undefined) return 'notUnderstood';
  const areFieldsKnown = shapes !== null && shapes.length > 0 && shapes.every(({ filter }) => filter?.closed === true);
  return because === undefined || areFieldsKnown ? 'understood' : 'partly';
}

export function callCounts(places: readonly Place[]): CallCounts {
  const counts = { understood: 0, partly: 0, notUnderstood: 0 };
  const causes = new Map<string, CausedCalls>();
  const own = places.filter(({ role }) => role === 'application');
  for (const place of own.filter(isListed)) {
    const { openCallers = 0, cause } = place;
    counts[understandingOf(place)] += 1;
    // What a wrapper leaves open, its callers did not say.
    counts.notUnderstood += openCallers;
    if (cause === undefined) continue;
    const key = `${cause.kind} ${cause.name ?? ''}`;
    causes.set(key, { ...cause, calls: (causes.get(key)?.calls ?? 0) + 1 + openCallers });
  }
  return {
    ...counts,
    mayBeNone: own.filter(({ unlisted }) => unlisted === 'doubtful').length,
    causes: [...causes.values()].sort((one, other) => other.calls - one.calls).slice(0, MOST_CAUSES),
  };
}

const CAUSE_TEXTS: Readonly<Record<Exclude<Cause['kind'], 'package'>, string>> = {
  name: 'on a collection whose name is computed',
  parameter: 'on a parameter of a function',
  this: 'on a property of `this` that is assigned elsewhere',
  result: 'on what a function returns',
  other: 'on a value that is set elsewhere',
};

/** "31 calls on `@shop/models`, which was not read: add its folder to `code:`". */
export function causeText({ kind, name, calls }: CausedCalls): string {
  const number = plural(calls, 'call');
  if (kind === 'package' && NOT_READ.test(name ?? ''))
    return `${number} of \`${name ?? ''}\`, whose operations are not read`;
  return kind === 'package'
    ? `${number} on \`${name ?? ''}\`, which was not read: add its folder to \`code:\``
    : `${number} ${CAUSE_TEXTS[kind]}`;
}

/** "120 calls understood, 12 in part, 31 not at all; 9 more may be no operations". */
export function countsText({ understood, partly, notUnderstood, mayBeNone }: CallCounts): string {
  const more = mayBeNone === 0 ? '' : `; ${formatCount(mayBeNone)} more may be no operations`;
  return `${plural(understood, 'call')} understood, ${formatCount(partly)} in part, ${formatCount(notUnderstood)} not at all${more}`;
}
