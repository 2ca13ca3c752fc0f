import { connect } from '../connect/connect.js';
import { collectionsOf } from '../findings/run-checks.js';
import type { JoinedCluster } from '../judgement/joins/joined-cluster.js';
import { shapeText } from '../judgement/queries/query-text.js';
import { queriesOf } from '../judgement/queries/query.js';
import { LintError } from '../lint-error.js';
import { watchedLint, type LintOptions } from '../lint/lint.js';
import { connectOptions } from '../lint/reading-options.js';
import { databaseOf, nameOf } from '../namespace.js';
import type { Report } from '../report/report.js';
import { bestFigures } from '../workload/operations/figures.js';
import { buildCollection, scaledCollections } from './build.js';
import { partThatRuns } from './commands.js';
import { NotRunnable } from './constants.js';
import { plannedRehearsal, type RehearsalPlan } from './plan.js';
import type {
  Cost,
  BuiltCollection,
  NotRehearsed,
  Rehearsal,
  RehearsedCommand,
  RehearsedOperation,
  RehearsedShape,
} from './rehearsal.js';
import { measured, replayed, replayOf, RUNS, type Replay, type Replayed } from './replay.js';
import { isLikeSize } from './result-size.js';
import type { ScaledCollection } from './scaled-collection.js';
import { Scratch } from './scratch.js';
import { identityOf } from './server-identity.js';
import { readSource, type Source } from './source.js';

/**
 * What an execution may examine more by itself: a trial of plans that ends elsewhere. Judgement: a tenth, and two documents
 * or keys an execution.
 */
const NOISE_SHARE = 0.1;

const NOISE_PER_EXECUTION = 2;

type Examined = Pick<Cost, 'documentsExamined' | 'keysExamined'> & Partial<Pick<Cost, 'returned'>>;

/** What to lint, and where to rehearse it. */
export interface RehearsalOptions extends LintOptions {
  /** Connection string of the scratch server: empty, and not the linted one. */
  readonly on: string;
  /** Documents of each collection there; by default as many as it is judged at, up to 50,000. */
  readonly documents?: number;
  readonly onStep?: (text: string) => void;
  /** Called with what is to be built and run, before that begins. */
  readonly onPlan?: (plan: RehearsalPlan) => void;
}

/**
 * Builds samples on a scratch server, scaled up, and runs what was recorded there: with today's indexes, and after the
 * commands of the findings that change indexes. The linted server is only read. Nothing stays on the scratch server.
 *
 * @throws LintError if the scratch server can't be used, or there is nothing to rehearse
 */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  const { interruption = new AbortController().signal, onStep = () => {} } = options;
  const connection = await connect(connectOptions(options));
  let scratch: Scratch | null = null;
  try {
    const { readPreference: _, ...reading } = connectOptions(options);
    const identity = await identityOf(connection);
    scratch = await Scratch.open({ ...reading, uri: options.on, readPreference: 'primary' }, identity, interruption);
    onStep('reading samples and what was recorded');
    const source = await readSource(connection, options);
    if (source.collections.size === 0)
      throw new LintError(
        'Nothing to rehearse: no reads of the linted collections were recorded. Turn the profiler on, or give logs with --log.',
      );
    onStep('linting');
    const report = await watchedLint(options);
    const run = new RehearsalRun(scratch, source, options, connectOptions(options).timeout);
    return { linted: { version: connection.cluster.version }, ...(await run.all(report)) };
  } catch (error) {
    if (!interruption.aborted || error instanceof LintError) throw error;
    throw new LintError('Interrupted: the rehearsal was not finished.', { cause: error });
  } finally {
    await connection.close();
    await scratch?.close();
  }
}

interface Prepared {
  readonly operation: RehearsedOperation;
  readonly part: string | null;
  readonly replay: Replay;
}

class RehearsalRun {
  readonly #scaled: ReadonlyMap<string, ScaledCollection>;
  readonly #notRun: NotRehearsed[] = [];

  constructor(
    private readonly scratch: Scratch,
    private readonly source: Source,
    private readonly options: RehearsalOptions,
    private readonly timeout: number,
  ) {
    this.#scaled = scaledCollections(source, options.documents);
  }

  async all({ findings }: Report): Promise<Omit<Rehearsal, 'linted'>> {
    const prepared = this.#prepared();
    const read = prepared.map(({ operation }) => operation.namespace);
    const plan = await plannedRehearsal(this.scratch, this.#scaled, this.source.collections, read);
    this.options.onPlan?.(plan);
    const databases = [...new Set([...this.#scaled.keys()].map(databaseOf))];
    const parts: Awaited<ReturnType<RehearsalRun['ofDatabase']>>[] = [];
    for (const database of databases) parts.push(await this.ofDatabase(database, findings, prepared));
    return {
      scratch: { version: this.scratch.version },
      timeout: this.timeout,
      collections: parts.flatMap(({ collections }) => collections),
      commands: parts.flatMap(({ commands }) => commands),
      shapes: parts.flatMap(({ shapes }) => shapes).toSorted((one, other) => costBefore(other) - costBefore(one)),
      notRun: this.#notRun,
    };
  }

  /** One database after the other: each is built in the place of the one before. */
  async ofDatabase(database: string, findings: Report['findings'], prepared: readonly Prepared[]) {
    const own = prepared.filter(({ operation }) => databaseOf(operation.namespace) === database);
    const say = (text: string) => this.options.onStep?.(`${database}: ${text}`);
    try {
      const collections: BuiltCollection[] = [];
      for (const [namespace, scaled] of this.#scaled) {
        const from = this.source.collections.get(namespace);
        if (from === undefined || databaseOf(namespace) !== database) continue;
        say(`building ${nameOf(namespace)}`);
        collections.push(await buildCollection(this.scratch, from, scaled));
      }
      say('running what was recorded, with the indexes of today');
      const before = await this.#replayed(own);
      const commands = await this.#changed(database, findings);
      say('running it again, with the advised indexes');
      const shapes: RehearsedShape[] = [];
      for (const [each, { commands: repeated, cost }] of before) {
        const after = await measured(this.scratch, repeated, this.timeout);
        shapes.push(shapeOf(each, cost, after));
      }
      return { collections, commands, shapes };
    } finally {
      await this.#dropped();
    }
  }

  async #dropped(): Promise<void> {
    await this.scratch.drop().catch((error: unknown) => {
      throw new LintError(`The scratch server could not be cleared: drop its database ${this.scratch.databaseName}.`, {
        cause: error,
      });
    });
  }

  #prepared(): Prepared[] {
    const { workload, collections } = this.source;
    const kept = [...collections.values()].map(({ known }) => known);
    // Queries are only named here: that takes no indexes.
    const known = collectionsOf(kept) as unknown as JoinedCluster['collections'];
    const queries = new Map(
      queriesOf({ collections: known, workload }).map((query) => [query.operation, query] as const),
    );
    return workload.tracedOperations.flatMap((traced): Prepared[] => {
      const { shape } = traced.operation;
      const operation = {
        namespace: traced.base,
        kind: shape.kind,
        shape: shapeText(traced, queries.get(traced.operation) ?? null),
        executions: bestFigures(traced.operation).figures.executions,
      };
      try {
        return [{ operation, part: partThatRuns(shape), replay: replayOf(traced, this.source, this.#scaled) }];
      } catch (error) {
        this.#notRunnable(operation, error);
        return [];
      }
    });
  }

  async #replayed(prepared: readonly Prepared[]): Promise<Map<Prepared, Replayed>> {
    const runs = new Map<Prepared, Replayed>();
    for (const each of prepared) {
      try {
        runs.set(each, await replayed(this.scratch, each.replay, this.timeout));
      } catch (error) {
        this.#notRunnable(each.operation, error);
      }
    }
    return runs;
  }

  #notRunnable(operation: RehearsedOperation, error: unknown): void {
    if (!(error instanceof NotRunnable)) throw error;
    this.#notRun.push({ ...operation, reason: error.message });
  }

  /** Runs the commands of the findings that change indexes of collections that were built. */
  async #changed(database: string, findings: Report['findings']): Promise<RehearsedCommand[]> {
    const done = new Map<string, RehearsedCommand>();
    for (const { check, remedy } of findings)
      for (const { db, command } of remedy.commands ?? []) {
        const [[name, collection] = []] = Object.entries(command);
        const isOfIndex =
          name === 'createIndexes' || name === 'dropIndexes' || (name === 'collMod' && 'index' in command);
        const key = JSON.stringify(command);
        if (db !== database || !isOfIndex || done.has(key) || !this.#scaled.has(`${db}.${String(collection)}`))
          continue;
        const refused = await this.scratch.change(command);
        done.set(key, { check, db, command, ...(refused !== null && { refused }) });
      }
    return [...done.values()];
  }
}

function shapeOf({ operation, part, replay }: Prepared, before: Cost | null, after: Cost | null): RehearsedShape {
  const worse = before !== null && (after === null || isWorse(before, after));
  return { ...operation, part, runs: RUNS, recorded: replay.recorded?.average ?? null, before, after, worse };
}

function costBefore({ before }: RehearsedShape): number {
  return before === null ? Infinity : readTime(before);
}

/** Whether an operation got worse, by documents examined, or by documents and keys: keys are read in place of documents. */
export function isWorse(before: Examined, after: Examined): boolean {
  // What returns something else can't be compared.
  if (!isLikeSize(before.returned ?? 0, after.returned ?? 0)) return false;
  if (isBeyondNoise(readTime(before), readTime(after))) return true;
  const documents = after.documentsExamined - before.documentsExamined;
  const isRepaid = before.keysExamined - after.keysExamined >= KEYS_PER_DOCUMENT * documents;
  return isBeyondNoise(before.documentsExamined, after.documentsExamined) && !isRepaid;
}

/** Keys that are worth a document more; by judgement, as a document may lie on disk. */
const KEYS_PER_DOCUMENT = 10;

/**
 * Keys that a server reads in the time of a document of 3 KB in memory, as a whole number. Measured on 6.0.5: limited counts of
 * 1,000 documents take 0.34 of the time of 10,000 keys, and some of either is the command itself.
 */
const KEYS_IN_TIME_OF_DOCUMENT = 3;

/** How long it takes to read the documents and keys, in keys. */
export function readTime({ documentsExamined, keysExamined }: Examined): number {
  return documentsExamined * KEYS_IN_TIME_OF_DOCUMENT + keysExamined;
}

function isBeyondNoise(before: number, after: number): boolean {
  return after > before * (1 + NOISE_SHARE) + NOISE_PER_EXECUTION;
}
