import type { AnyCheck } from '../check.js';
import type { UnderstoodCode } from '../code/understood-code.js';
import type { UserState } from '../connect/user-rights.js';
import { errorCodesOf, errorCodesOfCluster } from '../evidence/cluster-evidence.js';
import type { EvidenceRun, RunEnd } from '../evidence/evidence-run.js';
import type { EvidenceName } from '../evidence/evidence.js';
import { type EvidencePlan, type KeptCollection, keptEvidence, type PieceName } from '../evidence/source.js';
import type { Skipped } from '../finding.js';
import type { LookUp } from '../finding/look-for.js';
import type { RunSettings } from '../findings/check-settings.js';
import { piecesNeeded } from '../findings/evidence-plan.js';
import { leftOut } from '../findings/left-out.js';
import type { FindingsOfOperations } from '../findings/ranked-findings.js';
import {
  collectionsOf,
  judgeCluster,
  judgeCollection,
  type FaultListener,
  type Judgement,
} from '../findings/run-checks.js';
import { topShapes } from '../findings/top-shapes.js';
import { unfinishedOperations, waitingOperations } from '../findings/unjudged-operations.js';
import type { Collection } from '../inventory/collection.js';
import { mayMatchIn } from '../inventory/namespace-glob.js';
import type { JoinedCluster } from '../judgement/joins/joined-cluster.js';
import { queriesOf } from '../judgement/queries/query.js';
import { wayTo } from '../judgement/upgrades/releases.js';
import { databaseOf } from '../namespace.js';
import { absent, present, type Evidence } from '../presence.js';
import { HeldFieldTypes } from '../profile/field-types.js';
import { buildReport } from '../report/build-report.js';
import type { Report } from '../report/report.js';
import type { ReportedCollection } from '../report/reported-collection.js';
import { recordedTimes, type TimeOver } from './judging-time.js';
import { knownFromProduction } from './known-from-production.js';
import { measuredCollection } from './measured-collection.js';
import { runCautions, runFailures, type RunCourse } from './run-failures.js';
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
  const source = (await options.code) ?? null;
  const code = source?.present === true ? source.value : null;
  const ofCode = source?.present === false ? checks.filter(({ appliesWhere }) => appliesWhere === 'code') : [];
  const end = await run.end();
  const { isOutOfTime, isStopped, serverLoad, reads = null } = end;
  const collections = collectionsOf(kept);
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
  const course: RunCourse = { checks, judged, ofCluster, skipped, isOutOfTime, isStopped, user };
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
      topShapesOf: (found: FindingsOfOperations) =>
        topShapes({ collections: known, workload, server }, queries, found, REPORTED_SHAPES, databases),
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
  const stamped = [...judged, ofCluster].flatMap(({ findings }) => findings);
  const ofSource = code === null ? report : withSource(report, stamped, code, indexesOf);
  const inBuild = report.production === undefined ? ofSource : withBuildSteps(ofSource);
  return part === undefined ? inBuild : { ...inBuild, part };
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

/** Without the source, findings have no lines, and what compares with it is not judged. */
function unreadSource(source: Evidence<UnderstoodCode> | null, ofCode: readonly AnyCheck[]): Skipped[] {
  if (source === null || source.present) return [];
  const ids = ofCode.length === 0 ? ['*'] : ofCode.map(({ id }) => id);
  return ids.map((check) => ({ check, reason: source.reason, detail: source.detail }));
}

async function userState(run: EvidenceRun, skipped: readonly Skipped[]): Promise<UserState> {
  return skipped.some(({ reason }) => reason === 'privilege') ? run.user() : null;
}

/**
 * What the run could not read beforehand: databases that could not be listed, how collections are sharded, evidence that
 * checks share; and the history if it could not be written.
 */
function unreadEntries(run: EvidenceRun, { gaps, historyFault }: RunEnd, options: JudgingOptions): Skipped[] {
  const { checks } = options;
  return [
    ...unknownNames(run, checks),
    ...unlistedEntries(run, options),
    ...unfinishedEntry(run),
    ...unknownSharding(run, checks),
    ...gaps.flatMap(({ name, gap: { reason, detail } }) =>
      idsOfChecksOn(name, checks).map((check) => ({ check, reason, detail })),
    ),
    ...(historyFault === null ? [] : unrecordedEntries(historyFault, checks)),
  ];
}

/** What checks conclude from the form of names, which pseudonyms lack. */
function unknownNames({ hasPseudonyms = false }: EvidenceRun, checks: readonly AnyCheck[]): Skipped[] {
  if (!hasPseudonyms) return [];
  return checks.flatMap(({ id, lostByPseudonyms: lost }): Skipped[] => {
    const detail = `the evidence holds pseudonyms: ${lost}`;
    return lost === undefined ? [] : [{ check: id, reason: 'insufficient', detail }];
  });
}

/** What of a file was not read any more. */
function unfinishedEntry({ unfinished }: EvidenceRun): Skipped[] {
  const absence = unfinished?.() ?? null;
  return absence === null ? [] : [{ check: '*', reason: absence.reason, detail: absence.detail }];
}

/** What could not be listed, but for the databases that the globs leave out anyway. */
function unlistedEntries(
  { inventory: { unlisted } }: EvidenceRun,
  { include }: Pick<JudgingOptions, 'include'>,
): Skipped[] {
  const isWanted = (database: string) => include.length === 0 || include.some((glob) => mayMatchIn(glob, database));
  const wanted = unlisted.filter(({ database }) => database === undefined || isWanted(database));
  return wanted.map(({ database, absent: unread }) => ({
    check: '*',
    ...(database !== undefined && { namespace: `${database}.*` }),
    reason: unread.reason,
    detail: unread.detail,
  }));
}

/** If the config database can't be read, it is not known of any collection whether it is sharded. */
function unknownSharding({ inventory: { shardingUnknown } }: EvidenceRun, checks: readonly AnyCheck[]): Skipped[] {
  if (shardingUnknown === undefined) return [];
  const { reason, detail } = shardingUnknown;
  const affected = checks.filter(({ appliesWhere }) => appliesWhere === 'sharded');
  return affected.map(({ id }) => ({ check: id, reason, detail }));
}

function unrecordedEntries(detail: string, checks: readonly AnyCheck[]): Skipped[] {
  const ids = idsOfChecksOn('growth', checks);
  return (ids.length === 0 ? ['*'] : ids).map((check) => ({ check, reason: 'fault', detail }));
}

function idsOfChecksOn(name: PieceName, checks: readonly AnyCheck[]): readonly string[] {
  return checks.filter((check) => piecesNeeded([check]).has(name)).map(({ id }) => id);
}
