import { setImmediate } from 'node:timers/promises';
import { isClusterCheck, type AnyCheck, type AnyCollectionCheck, type ClusterVerdict, type Exempt } from '../check.js';
import type { UnderstoodCode } from '../code/understood-code.js';
import type { ClusterEvidenceName, CollectedTracedEvidence } from '../evidence/cluster-evidence.js';
import type { EvidenceName } from '../evidence/evidence.js';
import type { CollectedEvidence, KeptCollection } from '../evidence/source.js';
import type { Excused, Skipped } from '../finding.js';
import type { Collection } from '../inventory/collection.js';
import { picked } from '../plain.js';
import { isFault, type Absent, type Evidence } from '../presence.js';
import type { ResolvedSettings, RunSettings } from './check-settings.js';
import { stamped, type StampedFinding } from './stamp.js';

export interface Judgement {
  readonly findings: readonly StampedFinding[];
  readonly skipped: readonly Skipped[];
  /** Ids of the checks that judged it. */
  readonly judgedBy: readonly string[];
  /** What is over a line, and excused by what the data show. */
  readonly letPass?: readonly Excused[];
}

/** What a check returned is no verdict: which field, and why. It quotes no value. */
export class VerdictFault extends Error {
  override readonly name = 'VerdictFault';
}

/** Hears of what failed and must not end the run: `failed` is the id of a check, or "evidence". */
export type FaultListener = (failed: string, namespace: string, error: unknown) => void;

/** Runs each check that applies to the collection and is not off there. Evidence that is absent becomes an entry in `skipped`. */
export function judgeCollection(
  checks: readonly AnyCheck[],
  collection: Collection,
  evidence: CollectedEvidence,
  settings: RunSettings,
  onFault: FaultListener,
): Judgement {
  const { namespace } = collection;
  const unread = unreadBecause(evidence);
  if (unread !== null) return notJudged({ check: '*', namespace, reason: unread.reason, detail: unread.detail });
  const judgements = applicableChecks(checks, collection).flatMap((check): Judgement[] => {
    if (settings.of(check, namespace).off) return [];
    const hasSubject = !(check.needs.includes('documents') && hasNoDocuments(evidence));
    const run = { evidence, namespace, hasSubject, settings, onFault };
    const steps = runCheck(check, { collection }, run);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return [value];
    }
  });
  return joined(judgements);
}

/** Each collection with its evidence, by namespace. */
export type KeptCollections = ReadonlyMap<string, CollectedEvidence & Pick<KeptCollection, 'collection'>>;

export function collectionsOf(kept: readonly KeptCollection[]): KeptCollections {
  return new Map(kept.map(({ collection, evidence }) => [collection.namespace, { collection, ...evidence }]));
}

/**
 * Runs the checks that look at several collections or at the workload. Between two judgements the process handles signals,
 * since a workload of thousands of shapes takes seconds to judge.
 *
 * @param code null without source
 * @param timeOver why no further check is run; null as long as there is time
 */
export async function judgeCluster(
  checks: readonly AnyCheck[],
  collections: KeptCollections,
  evidence: CollectedTracedEvidence,
  settings: RunSettings,
  onFault: FaultListener,
  timeOver: () => Absent | null = () => null,
  code: UnderstoodCode | null = null,
): Promise<Judgement> {
  const judgements: Judgement[] = [];
  const { server } = evidence;
  const isSharded =
    (server?.present === true && server.value.shards !== undefined) ||
    [...collections.values()].some(({ collection }) => collection.sharding !== undefined);
  for (const check of checks.filter(isClusterCheck)) {
    if (check.appliesWhere === 'sharded' && !isSharded) continue;
    const over = timeOver();
    if (over === null) {
      // If no collection is known, a check that looks into collections has nothing to judge.
      const hasSubject = collections.size > 0 || check.needs.length === 0;
      const run = { evidence, namespace: null, hasSubject, settings, onFault };
      const steps = runCheck(check, { collections, ...(code !== null && { code }) }, run);
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done === true) {
          judgements.push(step.value);
          break;
        }
        await setImmediate();
      }
    } else judgements.push(notJudged({ check: check.id, reason: over.reason, detail: over.detail }));
    await setImmediate();
  }
  return joined(judgements);
}

interface CheckRun {
  readonly evidence: Readonly<Partial<Record<string, Evidence<unknown>>>>;
  /** The name of the collection; null for a check of the cluster. */
  readonly namespace: string | null;
  /** Whether there is anything to judge. */
  readonly hasSubject: boolean;
  readonly settings: RunSettings;
  readonly onFault: FaultListener;
}

type AnyVerdict = ClusterVerdict | Exempt;

type AnyEvidenceName = EvidenceName | ClusterEvidenceName;

interface SetVerdict {
  readonly verdict: AnyVerdict;
  readonly namespace: string | null;
  readonly set: ResolvedSettings;
}

/** Runs one check; a step is a judgement. */
function* runCheck(check: AnyCheck, subject: object, run: CheckRun): Generator<undefined, Judgement> {
  const place = run.namespace === null ? {} : { namespace: run.namespace };
  const values: Record<string, unknown> = {};
  const needs: readonly AnyEvidenceName[] = isClusterCheck(check) ? check.clusterNeeds : check.needs;
  const uses: readonly AnyEvidenceName[] = isClusterCheck(check) ? [] : (check.uses ?? []);
  for (const name of [...needs, ...uses]) {
    const piece = run.evidence[name];
    const isNeeded = needs.includes(name);
    if (piece === undefined && isNeeded)
      throw new Error(`The evidence "${name}" that ${check.id} needs was not collected.`);
    if (piece?.present === true) values[name] = piece.value;
    else if (piece !== undefined && isNeeded) {
      const { reason, detail } = piece;
      return notJudged({ check: check.id, ...place, reason, evidence: name, ...picked(piece, ['code']), detail });
    }
  }
  if (!run.hasSubject && run.namespace !== null) return joined([]);
  try {
    return yield* judgementBy(check, { ...subject, ...values }, run);
  } catch (error) {
    run.onFault(check.id, run.namespace ?? 'cluster', error);
    const name = error instanceof Error ? error.name : typeof error;
    const why = error instanceof VerdictFault ? error.message : name;
    return notJudged({
      check: check.id,
      ...place,
      reason: 'fault',
      detail: `the check failed (${why}); see --verbose.`,
    });
  }
}

function* judgementBy(check: AnyCheck, subject: object, run: CheckRun): Generator<undefined, Judgement> {
  const { verdicts, hasJudgedAny } = yield* verdictsOf(check, subject, run);
  const findings: StampedFinding[] = [];
  const skipped: Skipped[] = [];
  const exempt: Excused[] = [];
  for (const { verdict, namespace, set } of verdicts) {
    const at = namespace === null ? {} : { namespace };
    if ('notJudged' in verdict)
      skipped.push({ check: check.id, ...at, reason: verdict.notJudged, detail: verdict.detail });
    else if ('exempt' in verdict)
      exempt.push({ check: check.id, namespace: namespace ?? '', path: verdict.path, detail: verdict.exempt });
    else findings.push(stamped(check, namespace ?? '', verdict, set));
  }
  const judgedBy = run.hasSubject && hasJudgedAny ? [check.id] : [];
  return { findings, skipped, judgedBy, ...(exempt.length > 0 && { letPass: exempt }) };
}

/**
 * The verdicts of a check. The thresholds of one of the cluster may differ between namespaces: it judges once for each set
 * of values, and of each judgement only the verdicts on namespaces with these values hold. Those without a namespace hold by
 * the general values.
 */
function* verdictsOf(
  check: AnyCheck,
  subject: object,
  { namespace: own, settings }: CheckRun,
): Generator<undefined, { readonly verdicts: readonly SetVerdict[]; readonly hasJudgedAny: boolean }> {
  const setOn = (namespace: string | null) => settings.of(check, namespace);
  const { collections = new Map<string, unknown>() } = subject as {
    readonly collections?: ReadonlyMap<string, unknown>;
  };
  const linted = [...collections.keys()].map(setOn).filter(({ off }) => !off);
  const pending = new Map([setOn(own), ...linted].map((set) => [set.values, set.thresholds]));
  const verdicts: SetVerdict[] = [];
  let hasJudgedAny = false;
  // Exactly the evidence that the check asked for; a list of checks no longer knows their types.
  const judge = check.judge as (of: object, thresholds: ResolvedSettings['thresholds']) => readonly AnyVerdict[];
  for (const [values, thresholds] of pending) {
    const judged = judge(subject, thresholds);
    hasJudgedAny ||= !judged.some((verdict) => 'nothingJudged' in verdict && verdict.nothingJudged === true);
    for (const verdict of judged) {
      const namespace = ('namespace' in verdict ? verdict.namespace : undefined) ?? own;
      const set = setOn(namespace);
      if (set.off && namespace !== null) continue;
      // A verdict may be on a namespace that was not linted: its values are then judged by next.
      if (!pending.has(set.values)) pending.set(set.values, set.thresholds);
      if (set.values === values) verdicts.push({ verdict, namespace, set });
    }
    yield;
  }
  return { verdicts, hasJudgedAny };
}

function notJudged(entry: Skipped): Judgement {
  return { findings: [], skipped: [entry], judgedBy: [] };
}

function joined(judgements: readonly Judgement[]): Judgement {
  const exempt = judgements.flatMap((judgement) => judgement.letPass ?? []);
  return {
    findings: judgements.flatMap(({ findings }) => findings),
    skipped: judgements.flatMap(({ skipped }) => skipped),
    judgedBy: judgements.flatMap(({ judgedBy }) => judgedBy),
    ...(exempt.length > 0 && { letPass: exempt }),
  };
}

export function applicableChecks(checks: readonly AnyCheck[], collection: Collection): readonly AnyCollectionCheck[] {
  return checks.filter(
    (check): check is AnyCollectionCheck =>
      !isClusterCheck(check) &&
      check.appliesTo.includes(collection.kind) &&
      (check.appliesWhere !== 'sharded' || collection.sharding !== undefined),
  );
}

/** Why nothing of a collection was read: a run that ends early says so once of each that it did not come to. */
function unreadBecause(evidence: CollectedEvidence): Absent | null {
  const [first, ...others] = Object.values(evidence);
  if (first === undefined || first.present || !isFault(first)) return null;
  return others.every((piece) => !piece.present && piece.detail === first.detail) ? first : null;
}

function hasNoDocuments({ documents }: CollectedEvidence): boolean {
  return documents?.present === true && documents.value.profile.documents === 0;
}
