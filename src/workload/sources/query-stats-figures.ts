import type { Document } from 'mongodb';
import { documentIn, figureIn, timeIn } from '../../connect/answer.js';
import { addedClients, ClientTally, clientOf, driverText, type ClientExecutions } from '../operations/clients.js';
import { widened, type AveragedFigure } from '../operations/figures.js';
import type { OperationFigures } from '../workload.js';

const MICROSECONDS_PER_MILLISECOND = 1_000;

/** Parts of `metrics` that hold figures in 8.1 and later; before, they were in `metrics` itself. */
const SECTIONS = ['queryExec', 'cursor', 'queryPlanner', 'writes'];

/** Of 9.0. Source: `query_stats_update_cmd_metrics.js` of the server's tests. */
const WRITTEN = ['nInserted', 'nModified', 'nUpserted', 'nDeleted'];

/**
 * Null if the entry does not even say how often the query ran. 6.0 reports times and documents returned; later versions
 * also documents and keys examined, sorts and spills.
 */
export function queryStatsFigures(metrics: unknown, client?: Document, isWrite = false): OperationFigures | null {
  const executions = metric(metrics, 'execCount');
  if (executions === null || executions < 1) return null;
  const from = time(metrics, 'firstSeenTimestamp');
  const to = time(metrics, 'latestSeenTimestamp');
  const clients = clientsOf(client, executions);
  return {
    executions,
    milliseconds: inMilliseconds(sumOf(metrics, 'totalExecMicros')),
    slowestMilliseconds: inMilliseconds(metric(metrics, 'totalExecMicros', 'max')),
    documentsExamined: sumOf(metrics, 'docsExamined'),
    keysExamined: sumOf(metrics, 'keysExamined'),
    documentsReturned: sumOf(metrics, 'docsReturned'),
    documentsWritten: isWrite ? writtenSum(metrics) : null,
    responseBytes: null,
    largestResponseBytes: null,
    planSummaries: {},
    inMemorySorts: metric(metrics, 'hasSortStage', 'true'),
    diskUses: metric(metrics, 'usedDisk', 'true'),
    slotBasedExecutions: 0,
    classicExecutions: 0,
    longestLiteralArray: null,
    slices: {},
    ...(clients.length > 0 && { clients }),
    window: from === null || to === null ? null : { from, to },
  };
}

function clientsOf(client: Document | undefined, executions: number): readonly ClientExecutions[] {
  const tally = new ClientTally();
  const { application, driver } = client ?? {};
  const appName: unknown = (application as Document | undefined)?.['name'];
  tally.add(clientOf({ appName, user: null, driver: driverText(driver), address: null }), executions);
  return tally.clients();
}

type AddedFigure = Exclude<AveragedFigure, 'responseBytes'> | 'inMemorySorts' | 'diskUses';

export function addedFigures(one: OperationFigures, other: OperationFigures): OperationFigures {
  const sum = (name: AddedFigure) => (one[name] === null || other[name] === null ? null : one[name] + other[name]);
  const clients = addedClients(one.clients, other.clients);
  return {
    ...one,
    ...(clients.length > 0 && { clients }),
    executions: one.executions + other.executions,
    milliseconds: sum('milliseconds'),
    slowestMilliseconds:
      one.slowestMilliseconds === null || other.slowestMilliseconds === null
        ? null
        : Math.max(one.slowestMilliseconds, other.slowestMilliseconds),
    documentsExamined: sum('documentsExamined'),
    keysExamined: sum('keysExamined'),
    documentsReturned: sum('documentsReturned'),
    documentsWritten: sum('documentsWritten'),
    inMemorySorts: sum('inMemorySorts'),
    diskUses: sum('diskUses'),
    window: other.window === null ? one.window : widened(one.window, other.window.from, other.window.to),
  };
}

/** The part of `metrics` that a figure is in. */
function holderOf(metrics: unknown, name: string): unknown {
  const places = [metrics, ...SECTIONS.map((section) => documentIn(metrics, section))];
  return places.find((place) => (place as Document | null | undefined)?.[name] !== undefined);
}

function metric(metrics: unknown, name: string, part?: 'sum' | 'max' | 'true'): number | null {
  return figureIn(holderOf(metrics, name), part === undefined ? name : `${name}.${part}`);
}

function sumOf(metrics: unknown, name: string): number | null {
  return metric(metrics, name, 'sum');
}

/** Null if no such figure is reported. */
function writtenSum(metrics: unknown): number | null {
  const reported = WRITTEN.flatMap((name) => sumOf(metrics, name) ?? []);
  return reported.length === 0 ? null : reported.reduce((sum, figure) => sum + figure, 0);
}

function time(metrics: unknown, name: string): number | null {
  return timeIn(holderOf(metrics, name), name);
}

function inMilliseconds(microseconds: number | null): number | null {
  return microseconds === null ? null : microseconds / MICROSECONDS_PER_MILLISECOND;
}
