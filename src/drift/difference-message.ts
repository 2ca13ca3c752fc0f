import { inWords } from '../format.js';
import type { Change, Difference, DriftSide, NotCompared } from './drift-schema.js';

/** What a comparison came to: what differs, and what is not known to be alike. */
export type Comparison = readonly (Difference | NotCompared)[];

export interface ComparedNamespace {
  /** By its name in the newer run. */
  readonly namespace: string;
  readonly names: SideNames;
  /** False if one of the clusters is not sharded, or does not say which collections are. */
  readonly isShardingKnown: boolean;
}

export function notCompared(
  { namespace }: ComparedNamespace,
  entry: Omit<NotCompared, 'namespace' | 'name'> & { readonly name?: string },
): NotCompared {
  return { namespace, name: null, ...entry };
}

/** How the two runs are called: by their files. */
export type SideNames = Readonly<Record<DriftSide, string>>;

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

export function onlyMessage(what: string, side: DriftSide, names: SideNames): string {
  return `${what} is only in ${names[side]}.`;
}

/** "Index `a_1`: `unique` is not set in old.jsonl, `true` in new.jsonl." */
export function changedMessage(what: string, changes: readonly Change[], names: SideNames): string {
  const texts = changes.map((change) => {
    const name = change.what === '' ? '' : `${change.what} is `;
    return `${name}${valueText(change.old)} in ${names.old}, ${valueText(change.new)} in ${names.new}`;
  });
  return `${what}: ${texts.join('; ')}.`;
}

/** "Field `total`: string in 98 % of 1,000 in old.jsonl, in none of 60 in new.jsonl." */
export function sharesMessage(what: string, changes: readonly Change[], names: SideNames): string {
  const texts = changes.map(({ what: type, old, new: after }) => {
    const name = type === 'documents' ? '' : `${type} `;
    return `${name}in ${old} in ${names.old}, in ${after} in ${names.new}`;
  });
  return `${what}: ${inWords(texts)}.`;
}

/** "Size: 60 documents in old.jsonl, 3,100,000 in new.jsonl." */
export function sizesMessage(what: string, changes: readonly Change[], names: SideNames): string {
  const texts = changes.map(({ what: figure, old, new: after }) => {
    return `${figure} ${old} in ${names.old}, ${after} in ${names.new}`;
  });
  return `${what}: ${texts.join('; ')}.`;
}

function valueText(value: string | null): string {
  return value === null ? 'not set' : `\`${value}\``;
}
