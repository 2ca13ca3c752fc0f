import { z } from 'zod';
import { inWords } from '../format.js';
import { SKIP_REASONS } from '../presence.js';

/** What a comparison came to: what differs, and what is not known to be alike. */
export type Comparison = readonly (Difference | NotCompared)[];

export interface ComparedNamespace {
  /** By its name in the newer run. */
  readonly namespace: string;
  readonly names: SideNames;
  /** False if one of the clusters is not sharded, or does not say which collections are. */
  readonly isShardingKnown: boolean;
}

/** How the two runs are called: by their files, or by when they were. */
export interface SideNames extends Readonly<Record<DriftSide, string>> {
  /** Present if both are of one cluster: what differs was changed in between. */
  readonly isOverTime?: true;
}

/** What a difference is about. */
export const DRIFT_SUBJECTS = [
  'server',
  'collection',
  'options',
  'index',
  'validator',
  'view',
  'field',
  'size',
] as const;

/** Which of the two has it; `both` if it differs. */
const SIDES = ['old', 'new', 'both'] as const;

/** Why something was not compared, beside the reasons for which a run skips it. */
const NOT_COMPARED_REASONS = [...SKIP_REASONS, 'not-asked', 'not-kept', 'in-build'] as const;

const about = {
  subject: z.enum(DRIFT_SUBJECTS).meta({ description: 'What it is about.', examples: [...DRIFT_SUBJECTS] }),
  namespace: z.string().nullable().describe('database.collection, by the name in the newer run; null if of all.'),
  name: z.string().nullable().describe('Name of the index, or dotted path of the field; null for others.'),
};

const shownValue = z.string().nullable().describe('For people; null if it is not set.');

const differenceSchema = z.strictObject({
  ...about,
  in: z.enum(SIDES).describe('The run that has it; "both" if it differs.'),
  declared: z
    .boolean()
    .describe('True of what somebody declared, which --fail-on drift fails on; false of data and servers.'),
  changes: z
    .array(z.strictObject({ what: z.string().describe('The option or figure.'), old: shownValue, new: shownValue }))
    .describe('What differs; empty if only one run has it.'),
  message: z.string().describe('The difference in a sentence.'),
  known: z.literal(true).optional().describe('Present between siblings that differed so in the last run.'),
});

const notComparedSchema = z.strictObject({
  ...about,
  side: z.enum(SIDES).describe('The run that does not know it.'),
  reason: z.enum(NOT_COMPARED_REASONS).meta({ description: 'Why, in a word.', examples: [...NOT_COMPARED_REASONS] }),
  detail: z.string().describe('Why, in a sentence.'),
});

export const driftSchema = z.strictObject({
  old: z.string().describe('The older run, as it was named on the command line.'),
  new: z.string().describe('The newer run.'),
  compared: z.int().nonnegative().describe('Collections that are in both.'),
  differences: z.array(differenceSchema).describe('What differs, by namespace.'),
  notCompared: z.array(notComparedSchema).describe('What one of the runs does not know. It is not known to be alike.'),
});

export type Drift = z.infer<typeof driftSchema>;

export type Difference = Drift['differences'][number];

export type NotCompared = Drift['notCompared'][number];

export type Change = Difference['changes'][number];

export type DriftSide = 'old' | 'new';

export function notCompared(
  { namespace }: ComparedNamespace,
  entry: Omit<NotCompared, 'namespace' | 'name'> & { readonly name?: string },
): NotCompared {
  return { namespace, name: null, ...entry };
}

const SUBJECTS: Readonly<Record<Difference['subject'], string>> = {
  server: 'Server',
  collection: 'Collection',
  options: 'Options',
  index: 'Index',
  validator: 'Validator',
  view: 'View',
  field: 'Field',
  size: 'Size',
};

export function subjectText(subject: Difference['subject'], name: string | null, definition = ''): string {
  const named = name === null ? '' : ` \`${name}\``;
  return `${SUBJECTS[subject]}${named}${definition === '' ? '' : ` \`${definition}\``}`;
}

/** "Index `a_1` is only in old.jsonl."; of one cluster "Index `a_1`: removed." */
export function onlyMessage(what: string, side: DriftSide, names: SideNames): string {
  if (names.isOverTime === true) return `${what}: ${side === 'old' ? 'removed' : 'added'}.`;
  return `${what} is only in ${names[side]}.`;
}

/** "Index `a_1`: `unique` is not set in old.jsonl, `true` in new.jsonl."; of one cluster "Index `a_1`: `unique` was not set, now `true`." */
export function changedMessage(what: string, changes: readonly Change[], names: SideNames): string {
  const texts = changes.map((change) => {
    const [old, after] = [valueText(change.old), valueText(change.new)];
    if (names.isOverTime === true) return `${change.what} was ${old}, now ${after}`.trim();
    return `${change.what === '' ? '' : `${change.what} is `}${old} in ${names.old}, ${after} in ${names.new}`;
  });
  return `${what}: ${texts.join('; ')}.`;
}

/** "Field `total`: string in 98 % of 1,000 in old.jsonl, in none of 60 in new.jsonl." */
export function sharesMessage(what: string, changes: readonly Change[], names: SideNames): string {
  const texts = changes.map(({ what: type, old, new: after }) => {
    const name = type === 'documents' ? '' : `${type} `;
    return `${name}${betweenText(`in ${old}`, `in ${after}`, names)}`;
  });
  return `${what}: ${inWords(texts)}.`;
}

/** "Size: 60 documents in old.jsonl, 3,100,000 in new.jsonl." */
export function sizesMessage(what: string, changes: readonly Change[], names: SideNames): string {
  const texts = changes.map(({ what: figure, old, new: after }) => `${figure} ${betweenText(old, after, names)}`);
  return `${what}: ${texts.join('; ')}.`;
}

/** "60 in old.jsonl, 3,100 in new.jsonl"; of one cluster "60 before, 3,100 now". */
function betweenText(old: string | null, after: string | null, names: SideNames): string {
  const [then, now] = names.isOverTime === true ? ['before', 'now'] : [`in ${names.old}`, `in ${names.new}`];
  return `${old} ${then}, ${after} ${now}`;
}

function valueText(value: string | null): string {
  return value === null ? 'not set' : `\`${value}\``;
}
