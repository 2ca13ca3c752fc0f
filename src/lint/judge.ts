import type { AnyCheck } from '../check.js';
import type { UnderstoodCode } from '../code/understood-code.js';
import type { UserState } from '../connect/user-rights.js';
import { errorCodesOf, errorCodesOfCluster, type Server } from '../evidence/cluster-evidence.js';
import type { EvidenceRun } from '../evidence/evidence-run.js';
import type { EvidenceName } from '../evidence/evidence.js';
import { type EvidencePlan, type KeptCollection, keptEvidence } from '../evidence/source.js';
import type { Skipped } from '../finding.js';
import type { LookUp } from '../finding/look-for.js';
import type { RunSettings } from '../findings/check-settings.js';
import { leftOut } from '../findings/left-out.js';
import type { FindingsOfOperations } from '../findings/ranked-findings.js';
import {
  collectionsOf,
  judgeCluster,
  judgeCollection,
  type FaultListener,
  type Judgement,
} from '../findings/run-checks.js';
import { costliestShapes, type CostedShape } from '../findings/top-shapes.js';
import { unfinishedOperations, waitingOperations } from '../findings/unjudged-operations.js';
import type { Collection } from '../inventory/collection.js';
import type { JoinedCluster } from '../judgement/joins/joined-cluster.js';
import { queriesOf } from '../judgement/queries/query.js';
import { wayTo } from '../judgement/upgrades/releases.js';
import { databaseOf } from '../namespace.js';
import { absent, present, type Evidence } from '../presence.js';
import { HeldFieldTypes } from '../profile/field-types.js';
import { buildReport } from '../report/build-report.js';
import type { Report } from '../report/report.js';
import type { ReportedCollection } from '../report/reported-collection.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import { recordedTimes, type TimeOver } from './judging-time.js';
import { knownFromProduction } from './known-from-production.js';
import { measuredCollection } from './measured-collection.js';
import { runCautions, runFailures, type RunCourse } from './run-failures.js';
import { unreadEntries, unreadSource } from './unread-entries.js';
import { withBuildSteps, withSource } from './with-source.js';

/** Costliest shapes in a report, of which --top shows the first. */
export const REPORTED_SHAPES = 25;

export interface JudgedCollection extends Judgement {
  readonly measured: ReportedCollection;
  /** Whether they were read; not the profile, which is too large to keep until the end of a run over thousands of collections. */
  readonly documents: Evidence<null> | undefined;
  /** Codes of the server's errors that kept evidence from being collected. */
  readonly errorCodes: readonly number[];
  /** What became of known findings that the sample does not show. */
  readonly lookUps: readonly LookUp[];
}

export interface JudgingOptions {
  readonly checks: readonly AnyCheck[];
  readonly settings: RunSettings;
  readonly plan: EvidencePlan;
  readonly include: readonly string[];
  /** Attaches its expected size to a collection. */
  readonly sized: (collection: Collection) => Collection;
  readonly onFault: FaultListener;
  readonly onJudged: (judged: JudgedCollection) => void;
  /** What is understood of the source, once it is read; null or absent without any. */
  readonly code?: Promise<Evidence<UnderstoodCode>> | null;
  /** Whether it may still judge; without end if absent. */
  readonly timeOver?: TimeOver;
  /** True for the collections to judge, among those that were read: others only serve the checks of the cluster. All if absent. */
  readonly isOwn?: (namespace: string) => boolean;
  /** Which part of the collections they are; absent if they are all. */
  readonly part?: NonNullable<Report['part']>;
}

/** Judges the evidence of a run, one collection after the other and then the cluster, and builds the report. */
export async function judgeRun(run: EvidenceRun, options: JudgingOptions): Promise<Report> {
  const { reportWith } = await begunJudgement(run, options);
  return (await reportWith((await options.code) ?? null)).report;
}

/** A run that was read, and whose collections were judged: the cluster can be judged again whenever the source changes. */
export interface BegunJudgement {
  readonly collections: JoinedCluster['collections'];
  readonly server: Server;
  /** Null if it is unknown. */
  readonly workload: TracedWorkload | null;
  reportWith(source: Evidence<UnderstoodCode> | null): Promise<JudgedReport>;
}

export interface JudgedReport {
  readonly report: Report;
  /** Every recorded operation with what it costs. */
  shapes(): readonly CostedShape[];
}

/** Reads all evidence of a run, judges its collections, and waits for its source, which is read meanwhile. */
export async function begunJudgement(run: EvidenceRun, options: JudgingOptions): Promise<BegunJudgement> {
  const { checks, settings, onFault, onJudged, timeOver = () => null, isOwn = () => true, part } = options;
  const held = new HeldFieldTypes();
  const all = await run.ofCollections((read) => {
    const collected = { ...read, collection: options.sized(read.collection) };
    const own = isOwn(read.collection.namespace) ? judgeCollected(collected, options) : null;
    if (own !== null) onJudged(own);
    return { kept: keptOf(collected, options.plan.kept, held), own };
  });
  const kept = all.map((collection) => collection.kept);
  const judged = all.flatMap(({ own }) => own ?? []);
  const evidence = await run.ofCluster(kept);
  await options.code;
  const end = await run.end();
  const { isOutOfTime, isStopped, serverLoad, reads = null } = end;
  const collections = collectionsOf(kept);
  const errorCodes = [
    ...judged.flatMap((collection) => collection.errorCodes),
    ...errorCodesOfCluster(evidence),
    ...end.errorCodes,
  ];
  const workload = evidence.workload?.present === true ? evidence.workload.value : null;
  const known: JoinedCluster['collections'] = new Map(
    [...collections].map(([namespace, each]) => [namespace, { ...NOT_ASKED_FOR, ...each }]),
  );
  const linted = [...kept.map(({ collection }) => collection), ...judged.map(({ measured }) => measured)];
  const databases = new Set(linted.map(({ namespace }) => databaseOf(namespace)));
  const server = evidence.server?.present === true ? evidence.server.value : { version: run.cluster.version };
  const queries = workload === null ? [] : queriesOf({ collections: known, workload });
  const indexesOf = (namespace: string) => {
    const indexes = known.get(namespace)?.indexes;
    return indexes?.present === true ? indexes.value : [];
  };
  const costed = (found: FindingsOfOperations, most: number) =>
    workload === null ? [] : costliestShapes({ collections: known, workload, server }, queries, found, most, databases);
  const reportWith = async (source: Evidence<UnderstoodCode> | null): Promise<JudgedReport> => {
    const code = source?.present === true ? source.value : null;
    const ofCode = source?.present === false ? checks.filter(({ appliesWhere }) => appliesWhere === 'code') : [];
    const ofCluster = withPlaces(
      await judgeCluster(
        checks.filter((check) => !ofCode.includes(check)),
        collections,
        evidence,
        settings,
        onFault,
        timeOver,
        code,
      ),
      kept,
    );
    const ofRun = [...unreadEntries(run, end, options), ...unreadSource(source, ofCode)];
    const skipped = [...ofRun, ...[...judged, ofCluster].flatMap((judgement) => judgement.skipped)];
    const user = await userState(run, skipped);
    const course: RunCourse = { checks, judged, ofCluster, skipped, isOutOfTime, isStopped, user };
    let findings: FindingsOfOperations = new Map();
    const report = buildReport({
      startedAt: run.startedAt,
      finishedAt: end.finishedAt ?? new Date(),
      cluster: run.cluster,
      production: run.production?.() ?? null,
      checks,
      skipped: ofRun,
      judged,
      ofCluster,
      errorCodes,
      ...(workload !== null && {
        topShapesOf: (found: FindingsOfOperations) => {
          findings = found;
          return costed(found, REPORTED_SHAPES).map(({ shape }) => shape);
        },
      }),
      waiting: waitingOperations(queries),
      unfinished: unfinishedOperations(queries),
      recorded: workload === null ? [] : recordedTimes(workload),
      workload,
      failures: runFailures(course),
      cautions: [...runCautions(course), ...wayOf(checks, server.version, kept)],
      serverLoad,
      reads,
      lookUps: judged.flatMap((collection) => collection.lookUps),
      indexesOf,
      queries,
    });
    const stamped = [...judged, ofCluster].flatMap((judgement) => judgement.findings);
    const ofSource = code === null ? report : withSource(report, stamped, code, indexesOf);
    const inBuild = report.production === undefined ? ofSource : withBuildSteps(ofSource);
    return {
      report: part === undefined ? inBuild : { ...inBuild, part },
      shapes: () => costed(findings, Infinity),
    };
  };
  return { collections: known, server, workload, reportWith };
}

/** What the upgrade passes whose changes are judged, in a sentence or two. */
function wayOf(checks: readonly AnyCheck[], version: string, kept: readonly KeptCollection[]): string[] {
  const target = checks.flatMap(({ upgradeTo }) => upgradeTo ?? []).at(-1);
  const hasEncrypted = kept.some(({ collection }) => collection.encrypted === true);
  const way = target === undefined ? null : wayTo(target, version, hasEncrypted);
  return way === null ? [] : [way];
}

/** Stands for what no enabled check needs. */
const NOT_COLLECTED = absent('insufficient', 'no enabled check asked for it.');
const NOT_ASKED_FOR = { indexes: NOT_COLLECTED, storage: NOT_COLLECTED, fieldTypes: NOT_COLLECTED };

function judgeCollected(
  { collection, evidence, lookUps = [] }: KeptCollection,
  { checks, settings, onFault }: JudgingOptions,
): JudgedCollection {
  for (const piece of Object.values(evidence)) {
    if (!piece.present && piece.reason === 'fault') onFault('evidence', collection.namespace, piece.error);
  }
  const judgement = judgeCollection(checks, collection, evidence, settings, onFault);
  return {
    ...withPlaces(judgement, [{ collection, evidence }]),
    skipped: [...judgement.skipped, ...leftOut(collection, evidence)],
    measured: measuredCollection(collection, evidence),
    documents: evidence.documents?.present === true ? present(null) : evidence.documents,
    errorCodes: errorCodesOf(evidence),
    lookUps,
  };
}

/** Each finding says which figures are from production, if the run has its evidence. */
function withPlaces(judgement: Judgement, known: readonly KeptCollection[]): Judgement {
  const byNamespace = new Map(known.map((each) => [each.collection.namespace, each]));
  const findings = judgement.findings.map((finding) => {
    const on = byNamespace.get(finding.namespace);
    return on === undefined ? finding : knownFromProduction(finding, on);
  });
  return { ...judgement, findings };
}

/** What the checks of the cluster still need of a collection. */
function keptOf(
  { collection, evidence }: KeptCollection,
  toKeep: ReadonlySet<EvidenceName>,
  held: HeldFieldTypes,
): KeptCollection {
  const kept = keptEvidence(collection, evidence, toKeep);
  const { fieldTypes } = kept;
  if (fieldTypes?.present !== true) return { collection, evidence: kept };
  return { collection, evidence: { ...kept, fieldTypes: present(held.held(fieldTypes.value)) } };
}

async function userState(run: EvidenceRun, skipped: readonly Skipped[]): Promise<UserState> {
  return skipped.some(({ reason }) => reason === 'privilege') ? run.user() : null;
}
