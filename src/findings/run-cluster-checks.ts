import { setImmediate } from 'node:timers/promises';
import { isClusterCheck, type AnyCheck, type AnyClusterCheck, type ClusterVerdict } from '../check.js';
import type { ClusterEvidenceName, CollectedTracedEvidence } from '../evidence/cluster-evidence.js';
import type { KeptCollection } from '../evidence/source.js';
import type { Absent } from '../presence.js';
import type { ResolvedSettings, RunSettings } from './check-settings.js';
import type { Skipped } from '../finding.js';
import { hasJudged, missingEntry, type FaultListener, type Judgement } from './run-checks.js';
import { stamped } from './stamp.js';

/**
 * Runs the checks that look at several collections or at the workload. Between two judgements the process handles signals,
 * since a workload of thousands of shapes takes seconds to judge.
 *
 * @param timeOver why no further check is run; null as long as there is time
 */
export async function judgeCluster(
  checks: readonly AnyCheck[],
  kept: readonly KeptCollection[],
  clusterEvidence: CollectedTracedEvidence,
  settings: RunSettings,
  onFault: FaultListener,
  timeOver: () => Absent | null = () => null,
): Promise<Judgement> {
  const judgements: Judgement[] = [];
  const isSharded = kept.some(({ collection }) => collection.sharding !== undefined);
  const applicable = checks
    .filter(isClusterCheck)
    .filter(({ appliesWhere }) => appliesWhere !== 'sharded' || isSharded);
  for (const check of applicable) {
    const over = timeOver();
    if (over === null) judgements.push(await judgeOne(check, kept, clusterEvidence, settings, onFault));
    else judgements.push(notJudged({ check: check.id, reason: over.reason, detail: over.detail }));
    await setImmediate();
  }
  return {
    findings: judgements.flatMap(({ findings }) => findings),
    skipped: judgements.flatMap(({ skipped }) => skipped),
    judgedBy: judgements.flatMap(({ judgedBy }) => judgedBy),
  };
}

async function judgeOne(
  check: AnyClusterCheck,
  kept: readonly KeptCollection[],
  clusterEvidence: CollectedTracedEvidence,
  settings: RunSettings,
  onFault: FaultListener,
): Promise<Judgement> {
  const evidence: Record<string, unknown> = {};
  for (const name of check.clusterNeeds as readonly ClusterEvidenceName[]) {
    const piece = clusterEvidence[name];
    if (piece === undefined) throw new Error(`The evidence "${name}" that ${check.id} needs was not collected.`);
    if (!piece.present) return notJudged({ check: check.id, ...missingEntry({ name, absent: piece }) });
    evidence[name] = piece.value;
  }
  // If no collection is known, a check that looks into collections has nothing to judge.
  const hasSubject = kept.length > 0 || check.needs.length === 0;
  const collections = new Map(
    kept.map(({ collection, evidence: pieces }) => [collection.namespace, { collection, ...pieces }] as const),
  );
  try {
    // Exactly the evidence that the check asked for; a list of checks no longer knows their types.
    const subject: unknown = { collections, ...evidence };
    const { verdicts, hasJudgedAny } = await verdictsOf(check, subject as AnyClusterSubject, settings);
    return {
      findings: verdicts.flatMap(({ verdict, set }) =>
        'notJudged' in verdict ? [] : [stamped(check, verdict.namespace, verdict, set)],
      ),
      skipped: verdicts.flatMap(({ verdict }) => ('notJudged' in verdict ? [skippedEntry(check.id, verdict)] : [])),
      judgedBy: hasSubject && hasJudgedAny ? [check.id] : [],
    };
  } catch (error) {
    onFault(check.id, 'cluster', error);
    const name = error instanceof Error ? error.name : typeof error;
    return notJudged({ check: check.id, reason: 'fault', detail: `the check failed (${name}); see --verbose.` });
  }
}

type AnyClusterSubject = Parameters<AnyClusterCheck['judge']>[0];

interface SetVerdict {
  readonly verdict: ClusterVerdict;
  readonly set: ResolvedSettings;
}

/**
 * The verdicts of a check whose thresholds may differ between namespaces: it judges once for each set of values, and of
 * each judgement only the verdicts on namespaces with these values hold. Those without a namespace hold by the general values.
 */
async function verdictsOf(
  check: AnyClusterCheck,
  subject: AnyClusterSubject,
  settings: RunSettings,
): Promise<{ readonly verdicts: readonly SetVerdict[]; readonly hasJudgedAny: boolean }> {
  const setOn = (namespace: string | null) => settings.of(check, namespace);
  const linted = [...subject.collections.keys()].map(setOn).filter(({ off }) => !off);
  const pending = distinctThresholds([setOn(null), ...linted]);
  const verdicts: SetVerdict[] = [];
  let hasJudgedAny = false;
  for (const [values, thresholds] of pending) {
    const judged = check.judge(subject, thresholds);
    hasJudgedAny ||= hasJudged(judged);
    for (const verdict of judged) {
      const set = setOn(verdict.namespace ?? null);
      if (set.off && verdict.namespace !== undefined) continue;
      // A verdict may be on a namespace that was not linted: its values are then judged by next.
      const valuesThere = valuesOf(set);
      if (!pending.has(valuesThere)) pending.set(valuesThere, set.thresholds);
      if (valuesThere === values) verdicts.push({ verdict, set });
    }
    await setImmediate();
  }
  return { verdicts, hasJudgedAny };
}

type Thresholds = ResolvedSettings['thresholds'];

function distinctThresholds(sets: readonly ResolvedSettings[]): Map<string, Thresholds> {
  return new Map(sets.map((set) => [valuesOf(set), set.thresholds]));
}

function valuesOf({ thresholds }: ResolvedSettings): string {
  return JSON.stringify(thresholds);
}

function notJudged(entry: Skipped): Judgement {
  return { findings: [], skipped: [entry], judgedBy: [] };
}

function skippedEntry(check: string, verdict: Extract<ClusterVerdict, { notJudged: unknown }>): Skipped {
  return {
    check,
    ...(verdict.namespace !== undefined && { namespace: verdict.namespace }),
    reason: verdict.notJudged,
    detail: verdict.detail,
  };
}
