import { compareTexts } from '../compare-texts.js';
import { groupedBy } from '../grouped-by.js';
import { formatIndexKey } from '../inventory/index-key.js';
import { createdIndexes, type CreatedIndex } from '../judgement/indexes/created-indexes.js';
import type { Finding } from '../finding.js';
import { reportedRemedy } from './reported-remedy.js';

/** An index, and the finding that asks for it. */
interface WantedIndex extends CreatedIndex {
  readonly finding: Finding;
}

/**
 * Where the index that one finding asks for begins the one that another asks for, both ask for the longer one: it does for
 * both, and created beside it the shorter would be redundant at the next run.
 */
export function withSharedIndexes(findings: readonly Finding[]): Finding[] {
  const widerByBeginning = groupedBy(
    findings.flatMap(wantedIndexes).flatMap(shorterBeginnings),
    ({ beginning }) => beginning,
  );
  return findings.map((finding) => {
    const [index, ...others] = wantedIndexes(finding);
    if (index === undefined || others.length > 0 || finding.remedy.commands?.length !== 1) return finding;
    const beginsLikewise = (widerByBeginning.get(beginningOf(index, fieldsOf(index))) ?? []).map(({ wider }) => wider);
    const [wider] = beginsLikewise.filter((other) => isBegunBy(other, index)).toSorted(longestFirst);
    return wider === undefined ? finding : { ...finding, remedy: sharedRemedy(finding, wider) };
  });
}

function sharedRemedy(
  { remedy: { text } }: Finding,
  { finding, db, collection, specification }: WantedIndex,
): Finding['remedy'] {
  const shared = `The index on ${formatIndexKey(specification.key)} that ${finding.check} asks for begins with it: create that one alone, it does for both.`;
  return reportedRemedy({
    text: `${text} ${shared}`,
    commands: [{ db, command: { createIndexes: collection, indexes: [specification] } }],
  });
}

function wantedIndexes(finding: Finding): WantedIndex[] {
  return createdIndexes(finding.remedy).map((index) => ({ ...index, finding }));
}

/** An index by each list of fields that it begins with and that is not all of it. */
function shorterBeginnings(wider: WantedIndex): { readonly beginning: string; readonly wider: WantedIndex }[] {
  const fields = fieldsOf(wider);
  return fields
    .slice(1)
    .map((_, position) => ({ beginning: beginningOf(wider, fields.slice(0, position + 1)), wider }));
}

function beginningOf(index: WantedIndex, fields: readonly (readonly [path: string, direction: unknown])[]): string {
  return JSON.stringify([placeOf(index), ...fields.map(([path]) => path)]);
}

/** Indexes that lie on one collection and differ in their keys alone. */
function placeOf({ db, collection, specification: { key: _key, name: _name, ...options } }: WantedIndex): string {
  return JSON.stringify([db, collection, options]);
}

/** By the fields' names where they are as many: findings don't come in the same order at each run. */
function longestFirst(one: WantedIndex, other: WantedIndex): number {
  return (
    fieldsOf(other).length - fieldsOf(one).length ||
    compareTexts(JSON.stringify(fieldsOf(one)), JSON.stringify(fieldsOf(other)))
  );
}

/** The same fields first, all in the same direction or all in the opposite one. */
function isBegunBy(wider: WantedIndex, { specification }: WantedIndex): boolean {
  const [longer, shorter] = [fieldsOf(wider), Object.entries(specification.key)];
  if (longer.length <= shorter.length) return false;
  const turns = shorter.map(([path, direction], position) =>
    longer[position]?.[0] === path ? Number(longer[position][1]) * Number(direction) : Number.NaN,
  );
  return turns.every((turn) => turn === 1) || turns.every((turn) => turn === -1);
}

function fieldsOf({ specification }: WantedIndex): [path: string, direction: unknown][] {
  return Object.entries(specification.key);
}
