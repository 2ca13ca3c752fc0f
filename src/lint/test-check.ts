import { BSON, type Document } from 'mongodb';
import type {
  AnyCheck,
  ClusterSubject,
  ClusterEvidenceName,
  Collection,
  CollectionEvidence,
  EvidenceName,
  Problem,
} from '../check.js';
import { isClusterCheck } from '../check.js';
import { databaseOf, nameOf } from '../namespace.js';
import { DocumentProfiler } from '../profile/document-profiler.js';
import { fieldTypesOf } from '../profile/field-types.js';
import { withParsedVerdicts } from './parsed-verdicts.js';

/** What a check is given in a test, and what must come of it. */
export interface CheckCase {
  /** What the case is about, for the message of a failure. */
  readonly name: string;
  /** Profiled as all documents of the collection: they make `documents` and `fieldTypes` of the evidence. */
  readonly documents?: readonly Document[];
  /** `database.collection`; "test.documents" if absent. */
  readonly namespace?: string;
  /** What differs of the collection: it is a plain one unless given. */
  readonly collection?: Partial<Collection>;
  /** Further evidence of the collection, by its names. */
  readonly evidence?: Partial<CollectionEvidence>;
  /** In place of all that, for a check of the whole cluster. */
  readonly cluster?: Partial<ClusterSubject<EvidenceName, ClusterEvidenceName>>;
  /** In place of the check's own values. */
  readonly thresholds?: Readonly<Record<string, number>>;
}

/** What is to be compared of each problem, in the order in which the check returns them. */
export interface FiringCase extends CheckCase {
  readonly problems: readonly Partial<Pick<Problem, 'severity' | 'confidence' | 'path' | 'pathIs' | 'message'>>[];
}

/**
 * Tests a check as a run would ask it: its verdicts must match the contract. Works in any test runner, and without one.
 *
 * @throws Error that names the case, what was expected and what came
 */
export function testCheck(
  check: AnyCheck,
  { fires = [], silent = [] }: { readonly fires: readonly FiringCase[]; readonly silent: readonly CheckCase[] },
): void {
  if (fires.length === 0 || silent.length === 0)
    throw new Error(`${check.id}: give cases that fire, and cases that are silent.`);
  for (const each of fires) assertProblems(check, each, each.problems);
  for (const each of silent) assertProblems(check, each, []);
}

function assertProblems(check: AnyCheck, given: CheckCase, expected: FiringCase['problems']): void {
  const thresholds = Object.entries(check.thresholds as Record<string, { readonly default: number }>);
  const values = Object.fromEntries(
    thresholds.map(([name, threshold]) => [name, given.thresholds?.[name] ?? threshold.default]),
  );
  const judge = withParsedVerdicts(check).judge as (subject: object, limits: object) => readonly Partial<Problem>[];
  const subject = subjectOf(check, given);
  const verdicts = named(`${check.id}, case "${given.name}"`, () => judge(subject, values));
  const problems = verdicts.filter((verdict) => verdict.severity !== undefined);
  const isAsExpected =
    problems.length === expected.length &&
    expected.every((wanted, index) =>
      Object.entries(wanted).every(([key, value]) => problems[index]?.[key as keyof Problem] === value),
    );
  if (isAsExpected) return;
  const shown = problems.map(({ severity, confidence, path, message }) => ({ severity, confidence, path, message }));
  throw new Error(
    `${check.id}, case "${given.name}": expected ${JSON.stringify(expected)}, and it returned ${JSON.stringify(shown)}.`,
  );
}

/** What is thrown says in which case. */
function named<T>(where: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new Error(`${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function subjectOf(
  check: AnyCheck,
  { name, documents, namespace = 'test.documents', cluster, ...given }: CheckCase,
): object {
  if (isClusterCheck(check)) return { collections: new Map(), ...cluster };
  const evidence: Partial<CollectionEvidence> = {
    ...(documents !== undefined && profiled(documents)),
    ...given.evidence,
  };
  const missing = (check.needs as readonly EvidenceName[]).find((needed) => evidence[needed] === undefined);
  if (missing !== undefined)
    throw new Error(`${check.id}, case "${name}": it needs the evidence "${missing}": give documents, or evidence.`);
  const plain = {
    namespace,
    database: databaseOf(namespace),
    name: nameOf(namespace),
    kind: 'collection',
    clustered: false,
  };
  return { collection: { ...plain, ...given.collection }, ...evidence };
}

function profiled(documents: readonly Document[]): Pick<CollectionEvidence, 'documents' | 'fieldTypes'> {
  const profiler = new DocumentProfiler();
  for (const document of documents) profiler.add(BSON.serialize(document));
  const sample = { method: 'whole-collection', complete: true, boundedBy: null, elapsed: 0 } as const;
  const evidence = { sample, profile: profiler.profile() };
  return { documents: evidence, fieldTypes: fieldTypesOf(evidence) };
}
