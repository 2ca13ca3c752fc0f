import type { FileRun } from '../evidence-file/read-evidence.js';
import type { CollectedTracedEvidence } from '../evidence/cluster-evidence.js';
import type { EvidenceRun } from '../evidence/evidence-run.js';
import type { EvidencePlan, KeptCollection, PieceName } from '../evidence/source.js';
import { CLUSTER_EVIDENCE_NAMES, EVIDENCE_NAMES } from '../evidence/sources.js';
import { resolvedSettings } from '../findings/check-settings.js';
import { evidencePlan } from '../findings/evidence-plan.js';
import type { ExpectedSetting } from '../findings/expected-sizes.js';
import type { FaultListener } from '../findings/run-checks.js';
import { namespaceFilter } from '../inventory/namespace-glob.js';
import type { TargetRun } from '../policy/judged.js';
import { absent, derived } from '../presence.js';
import type { Reference } from '../references/references.js';
import type { Report } from '../report/report.js';
import { beginJudging } from './begin-judging.js';
import type { BegunJudgement } from './judge.js';
import { checksOf, type ReadingOptions } from './reading-options.js';
import { sourceIn, type SourceReading } from './source-in.js';
import { assertGlobs, assertGlobsMatch, type WantedGlobs } from './wanted-collections.js';

/** What a file is judged by and with, as a cluster is. */
type JudgedAsInRun = 'checks' | 'settings' | 'production' | 'map' | 'code' | 'for' | 'interruption';

export interface JudgeEvidenceOptions extends WantedGlobs, Pick<ReadingOptions, JudgedAsInRun> {
  readonly file: string;
  /** Earlier files of the same cluster, which serve as its history. */
  readonly earlier?: readonly string[];
  readonly expect?: readonly ExpectedSetting[];
  /** In ms. What is judged by then is reported, the rest is `skipped`. Without limit if absent. */
  readonly maxTime?: number;
  readonly onFault?: FaultListener;
  /** Sees the evidence as it stands in the file, of the collections that the globs leave. */
  readonly observer?: EvidenceObserver<FileRun>;
}

export interface EvidenceObserver<Run extends EvidenceRun = EvidenceRun> {
  begin(run: Run): void;
  take(collected: KeptCollection): void;
}

/**
 * Judges the evidence in a file as `lint` judges it while it is collected: the report is the same, but for what the checks
 * and settings that are given here change. The run is narrowed if not the same was asked for when it was collected.
 *
 * @throws LintError if the file is cut off, damaged, foreign or of a newer version, or the globs leave nothing to judge
 */
export async function judgeEvidence(options: JudgeEvidenceOptions): Promise<TargetRun> {
  const { code, judgement, asRun } = await heldEvidence(options);
  return asRun((await judgement.reportWith((await code) ?? null)).report);
}

/** Evidence of a file, which was closed: it can be judged with whatever source. */
export interface HeldEvidence {
  readonly judgement: BegunJudgement;
  /** The source that the options name; null without any. */
  readonly code: SourceReading['code'] | null;
  asRun(report: Report): TargetRun;
}

/**
 * Reads the evidence in a file, and judges what does not hang on the source.
 *
 * @param source begins to read the source that the options name
 * @throws as `judgeEvidence`
 */
export async function heldEvidence(
  options: JudgeEvidenceOptions,
  source: typeof sourceIn = sourceIn,
): Promise<HeldEvidence> {
  assertGlobs(options);
  const settings = resolvedSettings(options.settings ?? {});
  const checks = await checksOf(options);
  const plan = evidencePlan(checks, settings);
  const { readEvidence } = await import('../evidence-file/read-evidence.js');
  const { withEarlierFiles } = await import('../evidence-file/earlier-files.js');
  const { maxTime = Infinity, include = [], exclude = [] } = options;
  const { begin, code, timeOver } = await beginJudging(options, { maxTime, grace: 0 }, source);
  const grown = await withEarlierFiles(options.earlier ?? [], timeOver);
  const run = await readEvidence(options.file, timeOver);
  try {
    const collected = run.header.settings;
    const asked = include.length > 0 ? include : collected.include;
    options.observer?.begin(run);
    const wanted = observed(wantedOf(run, options), options.observer);
    const judged = { checks, settings, plan, include: asked, onJudged: () => {} };
    const judgement = await begin(planned(grown(wanted), plan), judged);
    return {
      judgement,
      code,
      asRun: (report) => ({
        report,
        include: asked,
        exclude: [...new Set([...exclude, ...collected.exclude])],
        isNarrowed: !isSame(include, collected.include) || !isSame(exclude, collected.exclude),
      }),
    };
  } finally {
    await run.close();
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((glob) => other.includes(glob));
}

/** The collections that the globs leave. */
function wantedOf(run: FileRun, { include = [], exclude = [] }: WantedGlobs): EvidenceRun {
  if (include.length === 0 && exclude.length === 0) return run;
  const isWanted = namespaceFilter({ include, exclude });
  return {
    ...run,
    async ofCollections(take) {
      const known: { readonly namespace: string }[] = [];
      const taken = await run.ofCollections(async (collected) => {
        const { namespace } = collected.collection;
        known.push({ namespace });
        return isWanted(namespace) ? [await take(collected)] : [];
      });
      const collections = known.filter(({ namespace }) => isWanted(namespace));
      assertGlobsMatch({ collections, known, unlisted: run.inventory.unlisted }, { include, exclude });
      return taken.flat();
    },
    ofCluster: async (kept) => relatedIn(await run.ofCluster(kept), isWanted),
  };
}

/** What relates two collections, as a run finds it: both have to be linted. */
function relatedIn(
  { references, referenceIntegrity, children, ...rest }: CollectedTracedEvidence,
  isWanted: (namespace: string) => boolean,
): CollectedTracedEvidence {
  const isBetween = ({ namespace, target }: Pick<Reference, 'namespace' | 'target'>) =>
    isWanted(namespace) && isWanted(target);
  return {
    ...rest,
    ...(references && {
      references: derived(references, (all) => ({ ...all, references: all.references.filter(isBetween) })),
    }),
    ...(referenceIntegrity && {
      referenceIntegrity: derived(referenceIntegrity, (all) => ({
        ...all,
        references: all.references.filter(isBetween),
      })),
    }),
    ...(children && {
      children: derived(children, (all) => ({
        ...all,
        families: all.families.filter(({ child, parent }) => isWanted(child) && isWanted(parent)),
      })),
    }),
  };
}

/** The run, of which the observer takes each collection first. */
export function observed(run: EvidenceRun, observer: Pick<EvidenceObserver, 'take'> | undefined): EvidenceRun {
  if (observer === undefined) return run;
  return {
    ...run,
    ofCollections: (take) =>
      run.ofCollections((collected) => {
        observer.take(collected);
        return take(collected);
      }),
  };
}

/** Exactly the evidence that a run with these checks collects. What the file lacks of it is absent. */
function planned(run: EvidenceRun, plan: EvidencePlan): EvidenceRun {
  return {
    ...run,
    ofCollections: (take) => run.ofCollections((collected) => take(plannedOf(collected, plan))),
    ofCluster: async (kept) => picked(await run.ofCluster(kept), CLUSTER_EVIDENCE_NAMES, plan.ofCluster, 'the cluster'),
  };
}

function plannedOf({ collection, evidence }: KeptCollection, plan: EvidencePlan): KeptCollection {
  const wanted = plan.ofCollection(collection);
  return { collection, evidence: picked(evidence, EVIDENCE_NAMES, wanted, collection.namespace) };
}

function picked<Pieces extends object>(
  pieces: Pieces,
  names: readonly PieceName[],
  wanted: ReadonlySet<PieceName>,
  of: string,
): Pieces {
  const given = pieces as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    names.filter((name) => wanted.has(name)).map((name) => [name, given[name] ?? notCollected(name, of)]),
  ) as Pieces;
}

function notCollected(name: PieceName, of: string) {
  return absent(
    'insufficient',
    `"${name}" of ${of} is not in the evidence file: it was collected for other checks. Collect it again with the current configuration.`,
  );
}
