import pLimit from 'p-limit';
import type { ReadPreferenceMode } from 'mongodb';
import { builtInChecks } from '../checks/index.js';
import type { AnyCheck } from './check.js';
import { connect, type ClientObserver, type Connection } from './connect/connect.js';
import { collectEvidence, type EvidenceBounds } from './evidence/collect-evidence.js';
import { isConnectionLost, unreachedEvidence } from './evidence/lost-connection.js';
import type { Skipped } from './findings/finding.js';
import { leftOut } from './findings/left-out.js';
import {
  applicableChecks,
  evidenceNeeded,
  judgeCollection,
  type FaultListener,
  type Judgement,
  type ThresholdSettings,
} from './findings/run-checks.js';
import type { Collection } from './inventory/collection.js';
import { takeInventory, type Inventory } from './inventory/inventory.js';
import { namespaceFilter } from './inventory/namespace-filter.js';
import { LintError } from './lint-error.js';
import { enabledChecks, isEnabled, settingFor, type CheckSettings } from './policy/check-settings.js';
import { buildReport } from './report/build-report.js';
import { measuredCollection } from './report/measured-collection.js';
import type { Report, ReportedCollection } from './report/report.js';

/** What to lint, with what, and how much it may cost. Everything but the URI has a default. */
export interface LintOptions {
  readonly uri: string;
  /** Globs over `database.collection`; everything where empty. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** The checks to run; the built-in ones where absent. */
  readonly checks?: readonly AnyCheck[];
  /** Thresholds that differ from the defaults, and checks that are off, everywhere or on some namespaces. */
  readonly settings?: CheckSettings;
  /** Documents sampled per collection. */
  readonly sampleSize?: number;
  /** BSON bytes sampled per collection. */
  readonly sampleBytes?: number;
  /** Collections under way at once. */
  readonly concurrency?: number;
  /** Longest time for the whole run, in ms. What is not reached is `skipped`. */
  readonly maxTime?: number;
  /** Longest wait for a connection and for any one command, in ms. */
  readonly timeout?: number;
  /** Read preference mode; the URI's, or else `secondaryPreferred`, where absent. */
  readonly readPreference?: ReadPreferenceMode;
  /** Search collections of any size for large documents. */
  readonly deep?: boolean;
  /** Report `_id`s of documents. */
  readonly showValues?: boolean;
  readonly onProgress?: (progress: LintProgress) => void;
  /** Hears of a check that threw, or of evidence that failed in a way not foreseen; the run goes on. */
  readonly onFault?: FaultListener;
  /** Sees the driver's client before it connects. */
  readonly onClient?: ClientObserver;
}

/** How far the run is. */
export interface LintProgress {
  readonly done: number;
  readonly total: number;
  /** The collection that was just judged. */
  readonly namespace: string;
}

/** Defaults of `LintOptions`. Bytes and ms. */
export const LINT_DEFAULTS = {
  sampleSize: 1_000,
  /** Four documents near the 16 MB limit, or 1,000 of 64 KB. */
  sampleBytes: 64 * 1024 * 1024,
  concurrency: 4,
  maxTime: 10 * 60 * 1_000,
  timeout: 15_000,
} as const;

/**
 * Lints a cluster: connect → inventory → evidence → checks → findings → report.
 *
 * @throws LintError where it could not be linted at all; what could not be judged in part is in the report's `skipped`.
 */
export async function lint(options: LintOptions): Promise<Report> {
  const startedAt = new Date();
  const concurrency = options.concurrency ?? LINT_DEFAULTS.concurrency;
  const connection = await connect(
    {
      uri: options.uri,
      concurrency,
      timeout: options.timeout ?? LINT_DEFAULTS.timeout,
      maxTime: options.maxTime ?? LINT_DEFAULTS.maxTime,
      ...(options.readPreference !== undefined && { readPreference: options.readPreference }),
    },
    options.onClient,
  );
  try {
    const filter = namespaceFilter({ include: options.include ?? [], exclude: options.exclude ?? [] });
    const inventory = await takeInventory(connection.reader, filter, concurrency);
    assertSomethingMatches(inventory, options);
    const judged = await judgeInventory(connection, inventory, concurrency, options);
    return buildReport({
      startedAt,
      cluster: connection.cluster,
      checks: checksOf(options),
      skipped: unlistedEntries(inventory),
      judged,
    });
  } finally {
    await connection.close();
  }
}

/** One collection after the checks. */
export interface JudgedCollection extends Judgement {
  readonly measured: ReportedCollection;
}

async function judgeInventory(
  { reader }: Connection,
  { collections }: Inventory,
  concurrency: number,
  options: LintOptions,
): Promise<JudgedCollection[]> {
  const { settings = {} } = options;
  const enabled = checksOf(options);
  const bounds: EvidenceBounds = {
    sample: {
      documents: options.sampleSize ?? LINT_DEFAULTS.sampleSize,
      bytes: options.sampleBytes ?? LINT_DEFAULTS.sampleBytes,
    },
    deep: options.deep ?? false,
    showValues: options.showValues ?? false,
  };
  const onFault = options.onFault ?? (() => {});
  const limit = pLimit(concurrency);
  let done = 0;
  let isLost = false;
  const judge = async (collection: Collection): Promise<JudgedCollection> => {
    const checks = enabled.filter(({ id }) => isEnabled(settings, id, collection.namespace));
    const needs = evidenceNeeded(applicableChecks(checks, collection));
    const evidence = isLost ? unreachedEvidence(collection, needs) : await collectEvidence(reader, collection, needs, bounds);
    isLost ||= isConnectionLost(evidence);
    for (const piece of Object.values(evidence)) {
      if (!piece.present && piece.reason === 'fault') onFault('evidence', collection.namespace, piece.error);
    }
    // Judged at once, so that a profile is dropped as soon as its findings are known.
    const judgement = judgeCollection(checks, collection, evidence, thresholdsOn(collection, checks, settings), onFault);
    done += 1;
    options.onProgress?.({ done, total: collections.length, namespace: collection.namespace });
    return {
      ...judgement,
      skipped: [...judgement.skipped, ...leftOut(collection, evidence)],
      measured: measuredCollection(collection, evidence),
    };
  };
  return Promise.all(collections.map((collection) => limit(judge, collection)));
}

function checksOf({ checks = builtInChecks, settings = {} }: LintOptions): readonly AnyCheck[] {
  return enabledChecks(checks, settings);
}

function thresholdsOn({ namespace }: Collection, checks: readonly AnyCheck[], settings: CheckSettings): ThresholdSettings {
  return Object.fromEntries(checks.map(({ id }) => [id, settingFor(settings, id, namespace).thresholds ?? {}]));
}

function unlistedEntries({ unlisted }: Inventory): Skipped[] {
  return unlisted.map(({ database, absent }) => ({
    check: '*',
    ...(database !== undefined && { namespace: `${database}.*` }),
    reason: absent.reason,
    detail: absent.detail,
  }));
}

/** A misspelt glob must not look like a clean cluster. */
function assertSomethingMatches({ collections, unlisted }: Inventory, { include = [], exclude = [] }: LintOptions): void {
  if (collections.length > 0 || unlisted.length > 0 || include.length + exclude.length === 0) return;
  const globs = [...include.map((glob) => `--include ${glob}`), ...exclude.map((glob) => `--exclude ${glob}`)].join(' ');
  throw new LintError(`No collection is left to lint with ${globs}: globs match "database.collection", such as "shop.*".`);
}
