import { fastGrowingArray } from '../../checks/fast-growing-array.js';
import { builtInChecks } from '../../checks/index.js';
import { isClusterCheck, type AnyCheck } from '../check.js';
import { readsByCollection } from '../workload/reads/collection-reads.js';
import { connect, type ClientObserver } from '../connect/connect.js';
import { collectClusterEvidence, collectSampledEvidence } from '../evidence/collect-cluster-evidence.js';
import { withTracedWorkload, type CollectedTracedEvidence } from '../evidence/cluster-evidence.js';
import type { EvidenceBounds, SharedEvidence } from '../evidence/collect-evidence.js';
import { present } from '../presence.js';
import type { EvidenceName } from '../evidence/evidence.js';
import { GrowthRun } from '../evidence/growth/growth-run.js';
import type { HistoryFile } from '../evidence/growth/history-file.js';
import type { Skipped } from '../finding.js';
import { usesReads, type FaultListener } from '../findings/run-checks.js';
import { clusterEvidenceNeeded, judgeCluster } from '../findings/run-cluster-checks.js';
import { takeInventory, type Inventory } from '../inventory/inventory.js';
import { mayMatchIn, namedDatabases, namespaceFilter } from '../inventory/namespace-filter.js';
import { globFault } from '../inventory/namespace-glob.js';
import { judgeInventory, type LintProgress } from './judge-inventory.js';
import { LINT_DEFAULTS, type TakenByLint } from './lint-options.js';
import { LintError } from '../lint-error.js';
import { enabledChecks, type CheckSettings } from '../findings/check-settings.js';
import { buildReport } from '../report/build-report.js';
import type { Report } from '../report/report.js';

export type { LintProgress } from './judge-inventory.js';

/** What to lint, with what, and how much it may cost. Everything but the URI has a default. */
export interface LintOptions extends TakenByLint {
  readonly uri: string;
  /** The checks to run; the built-in ones if absent. */
  readonly checks?: readonly AnyCheck[];
  /** Severities and thresholds that differ from those of the checks, and checks that are off, everywhere or on some namespaces. */
  readonly settings?: CheckSettings;
  /** Once aborted, nothing more is read: what was found is reported, the rest is `skipped` as interrupted. */
  readonly interruption?: AbortSignal;
  readonly onProgress?: (progress: LintProgress) => void;
  /** Hears of a check that threw, or of evidence that failed in a way not foreseen; the run goes on. */
  readonly onFault?: FaultListener;
  /** Sees the driver's client before it connects. */
  readonly onClient?: ClientObserver;
}

/**
 * Lints a cluster: connect → inventory → evidence → checks → findings → report.
 *
 * @throws LintError where it could not be linted at all; what could not be judged in part is in the report's `skipped`.
 */
export async function lint(options: LintOptions): Promise<Report> {
  assertGlobs(options);
  // Before anything else: a file that can't be used is known at once, and no other run may use it until this one is done.
  const history = options.history === undefined ? null : await openHistory(options.history);
  try {
    return await lintCluster(options, history);
  } finally {
    await history?.close();
  }
}

/** A glob that can never match would leave out less than is meant, in silence. */
function assertGlobs({ include = [], exclude = [] }: LintOptions): void {
  for (const [option, globs] of Object.entries({ include, exclude })) {
    for (const glob of globs) {
      const fault = globFault(glob);
      if (fault !== null) throw new LintError(`${option}: the glob ${glob} ${fault}.`);
    }
  }
}

/** Loaded only where it is asked for, since it brings the validation of the file's lines. */
async function openHistory(file: string): Promise<HistoryFile> {
  const { HistoryFile } = await import('../evidence/growth/history-file.js');
  return HistoryFile.open(file);
}

async function lintCluster(options: LintOptions, history: HistoryFile | null): Promise<Report> {
  const startedAt = new Date();
  const concurrency = options.concurrency ?? LINT_DEFAULTS.concurrency;
  const connection = await connect(
    {
      uri: options.uri,
      concurrency,
      timeout: options.timeout ?? LINT_DEFAULTS.timeout,
      maxTime: options.maxTime ?? LINT_DEFAULTS.maxTime,
      ...(options.readPreference !== undefined && { readPreference: options.readPreference }),
      ...(options.interruption !== undefined && { interruption: options.interruption }),
    },
    options.onClient,
  );
  try {
    const checks = await checksOf(options);
    const isGrowthJudged = checks.some(({ needs }) => (needs as readonly EvidenceName[]).includes('growth'));
    const growth = new GrowthRun(connection.reader, connection.cluster, history, startedAt, isGrowthJudged);
    const { include = [], exclude = [] } = options;
    const filter = namespaceFilter({ include, exclude });
    const inventory = await takeInventory(
      connection.reader,
      filter,
      concurrency,
      connection.cluster,
      namedDatabases(include),
    );
    assertGlobsMatch(inventory, options);
    const onFault = options.onFault ?? (() => {});
    const clusterNeeds = clusterEvidenceNeeded(checks);
    const bounds = boundsOf(options);
    const collecting = collectClusterEvidence(connection, inventory, clusterNeeds, options.logFiles ?? []).then(
      withTracedWorkload,
    );
    const shared = { growth, reads: clusterNeeds.has('workload') && usesReads(checks) ? readsOnce(collecting) : null };
    const [evidence, judged] = await Promise.all([
      collecting,
      judgeInventory(connection.reader, inventory, { ...options, concurrency, checks, onFault, shared, bounds }),
    ]);
    const kept = judged.flatMap((collection) => collection.kept);
    const sampled = await collectSampledEvidence(connection, kept, clusterNeeds, evidence, {
      concurrency,
      showValues: bounds.showValues,
    });
    const ofCluster = await judgeCluster(checks, kept, { ...evidence, ...sampled }, options.settings ?? {}, onFault);
    return buildReport({
      startedAt,
      cluster: connection.cluster,
      checks,
      skipped: [
        ...unlistedEntries(inventory, options),
        ...unknownSharding(inventory, checks),
        ...(await growthEntries(growth, checks)),
      ],
      judged,
      ofCluster,
    });
  } finally {
    await connection.close();
  }
}

/** The reads by collection, put together once and only where a collection asks for them. */
function readsOnce(collecting: Promise<CollectedTracedEvidence>): NonNullable<SharedEvidence['reads']> {
  let reads: ReturnType<NonNullable<SharedEvidence['reads']>> | undefined;
  const put = async () => {
    const { workload } = await collecting;
    if (workload === undefined) throw new Error('The workload was not collected.');
    return workload.present ? present(readsByCollection(workload.value)) : workload;
  };
  return () => (reads ??= put());
}

function boundsOf(options: LintOptions): EvidenceBounds {
  return {
    sample: {
      documents: options.sampleSize ?? LINT_DEFAULTS.sampleSize,
      bytes: options.sampleBytes ?? LINT_DEFAULTS.sampleBytes,
    },
    deep: options.deep ?? false,
    showValues: options.showValues ?? false,
  };
}

/** The enabled checks. What those return that are not built in is parsed, by code that is loaded only for them. */
async function checksOf({ checks = builtInChecks, settings = {} }: LintOptions): Promise<readonly AnyCheck[]> {
  const enabled = enabledChecks(checks, settings);
  if (enabled.every(isBuiltIn)) return enabled;
  const { withParsedVerdicts } = await import('../findings/parsed-verdicts.js');
  return enabled.map((check) => (isBuiltIn(check) ? check : withParsedVerdicts(check)));
}

function isBuiltIn(check: AnyCheck): boolean {
  return builtInChecks.includes(check);
}

/** What could not be listed, less the databases that the globs leave out anyway. */
function unlistedEntries({ unlisted }: Inventory, { include = [] }: LintOptions): Skipped[] {
  const isWanted = (database: string) => include.length === 0 || include.some((glob) => mayMatchIn(glob, database));
  const wanted = unlisted.filter(({ database }) => database === undefined || isWanted(database));
  return wanted.map(({ database, absent }) => ({
    check: '*',
    ...(database !== undefined && { namespace: `${database}.*` }),
    reason: absent.reason,
    detail: absent.detail,
  }));
}

/** Where the config database can't be read, no collection is known to be sharded, and none to be unsharded either. */
function unknownSharding({ shardingUnknown }: Inventory, checks: readonly AnyCheck[]): Skipped[] {
  if (shardingUnknown === undefined) return [];
  const { reason, detail } = shardingUnknown;
  const affected = checks.filter((check) => !isClusterCheck(check) && check.appliesWhere === 'sharded');
  return affected.map(({ id }) => ({ check: id, reason, detail }));
}

/** Adds the run to the history, and tells what of growth was not seen or not kept. */
async function growthEntries(growth: GrowthRun, checks: readonly AnyCheck[]): Promise<Skipped[]> {
  const check = fastGrowingArray.id;
  const unread = checks.some(({ id }) => id === check) ? await growth.unreadOplog() : null;
  const entries: Skipped[] = unread === null ? [] : [{ check, reason: unread.reason, detail: unread.detail }];
  try {
    await growth.finish();
  } catch (error) {
    if (!(error instanceof LintError)) throw error;
    // What was found is worth its report all the same.
    entries.push({ check, reason: 'fault', detail: error.message });
  }
  return entries;
}

/** A misspelt glob must not look like a clean cluster, nor like one more that is linted. */
function assertGlobsMatch(
  { collections, known, unlisted }: Inventory,
  { include = [], exclude = [] }: LintOptions,
): void {
  for (const glob of include) {
    const matches = namespaceFilter({ include: [glob], exclude: [] });
    const isKnown = known.some(({ namespace }) => matches(namespace));
    if (isKnown || unlisted.some(({ database }) => database !== undefined && mayMatchIn(glob, database))) continue;
    throw new LintError(
      `No collection that the user can see matches --include ${glob}: globs match "database.collection", such as "shop.*".`,
    );
  }
  if (exclude.length === 0 || collections.length > 0 || known.length === 0) return;
  throw new LintError(
    `No collection is left to lint: --exclude ${exclude.join(' --exclude ')} leaves out all that there are.`,
  );
}
