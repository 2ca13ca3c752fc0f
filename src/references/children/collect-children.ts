import pLimit from 'p-limit';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import { MS_PER_DAY } from '../../time-units.js';
import { absent, present, type Absent, type Evidence } from '../../presence.js';
import { ageGrowth } from '../../growth/age-growth.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';
import { childQuestions, type ChildQuestion, type KnownCollection } from './child-questions.js';
import type { ChildFamilies, Children } from './children.js';
import { COUNTED_TO, isCountedWhole, readFamilies, type Family, type ReadFamilies } from './family-reads.js';

/**
 * Counts how many children a parent has, by one aggregation for each relation: over all children if they are few, else
 * over the families of 600 of them. Large families are picked more often, so their size is not underestimated.
 *
 * @param concurrency reads at once
 */
export async function collectChildren(
  reader: ClusterReader,
  workload: TracedWorkload,
  collections: readonly KnownCollection[],
  concurrency: number,
): Promise<Children> {
  const { questions, gaps } = childQuestions(workload, collections);
  const limit = pLimit(concurrency);
  const counted = await Promise.all(questions.map((question) => limit(countFamilies, reader, question)));
  return {
    families: counted.flatMap((each) => (each.present ? [each.value] : [])),
    gaps: [...gaps, ...counted.filter((each): each is Absent => !each.present)],
  };
}

async function countFamilies(reader: ClusterReader, question: ChildQuestion): Promise<Evidence<ChildFamilies>> {
  const { child, parent, path, isIndexed } = question;
  const operation = `counting how many of ${child.namespace} belong to one of ${parent.namespace}`;
  if (!isCountedWhole(question) && !isIndexed) {
    return absent(
      'bound',
      `${operation}: no index begins with \`${path}\`, and the collection is too large to be read as a whole.`,
    );
  }
  try {
    return present(familiesOf(question, await readFamilies(reader, question), Date.now()));
  } catch (error) {
    return absentBecause(error, operation, `find on ${child.namespace} and ${parent.namespace}`);
  }
}

function familiesOf(question: ChildQuestion, { families: all, isByChance }: ReadFamilies, now: number): ChildFamilies {
  const families = all.filter(({ hasParent }) => hasParent);
  const isWhole = isCountedWhole(question);
  const aged = families.flatMap(({ born, children }) =>
    born === null ? [] : [{ age: (now - born.getTime()) / MS_PER_DAY, value: children }],
  );
  return {
    parent: question.parent.namespace,
    child: question.child.namespace,
    path: question.path,
    families: families.length,
    complete: isWhole,
    childrenSeen: picked(all),
    ...(isByChance && { isByChance }),
    children: middleAndMost(families.map(({ children }) => children)),
    countedTo: isWhole ? null : COUNTED_TO,
    bytes: middleAndMost(families.map(({ bytes }) => bytes)),
    orphans: picked(all) - picked(families),
    growth: ageGrowth(aged, 'elements'),
  };
}

function picked(families: readonly Family[]): number {
  return families.reduce((sum, family) => sum + family.picked, 0);
}

function middleAndMost(values: readonly number[]): { median: number; most: number } {
  const sorted = [...values].sort((one, other) => one - other);
  return { median: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, most: sorted.at(-1) ?? 0 };
}
