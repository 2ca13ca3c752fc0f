import type { Document } from 'mongodb';
import { PROFILER_SETTINGS } from '../../connect/allowed-commands.js';
import { AnswerShapeError } from '../../connect/answer.js';
import type { Member } from '../../connect/cluster-reader.js';
import { skipReason } from '../../connect/server-error.js';
import { KnownShapes } from '../operations/known-shapes.js';
import { OperationTally, PartTally } from '../operations/operation-tally.js';
import { type Failure, gapsOf, readSource, type ReadSource, type SourceReading } from './source.js';
import { databaseOf } from '../../namespace.js';
import { CLIENT_METADATA, parsedLine } from './connection-drivers.js';
import { LogContext, slowQueryOf } from './slow-query.js';
import type { Coverage, SourcePart } from '../workload.js';
import { inPart, profilerCoverage } from './profiler.js';

/** The message of the line, with id 48742. */
const PROFILER_SET = 'Profiler settings changed';
const ALL_OPERATIONS = 2;

const ATTEMPT = {
  operation: 'reading the recent log lines of',
  privilege: 'getLog on the cluster, as in the role clusterMonitor',
};

/** Reads the log lines that each node keeps in memory: its last 1,024. */
export async function readRecentLog(
  nodes: readonly Member[],
  databases: readonly string[],
  { showValues, since }: SourceReading,
): Promise<ReadSource> {
  const tally = new OperationTally();
  const shapes = new KnownShapes();
  const parts: SourcePart[] = [];
  const failures: Failure[] = [];
  for (const node of nodes) {
    try {
      const { log } = await node.reader.command('admin', { getLog: 'global' });
      if (!Array.isArray(log)) throw new AnswerShapeError('getLog', 'log');
      const part = new PartTally(tally, since);
      const context = new LogContext(shapes, showValues);
      const lines = (log as unknown[]).map(String);
      const begun = recordsBegun(lines);
      for (const line of lines) takeLine(line, part, context, begun);
      parts.push(part.part({ member: node.name }, await slowCoverage(node, databases)));
    } catch (error) {
      failures.push({ place: node.name, error });
    }
  }
  return readSource(parts, gapsOf(failures, ATTEMPT), tally, 'the log');
}

function takeLine(line: string, part: PartTally, context: LogContext, begun: ReadonlyMap<string, number>): void {
  if (line.includes(CLIENT_METADATA)) context.drivers.add(line);
  const { at, execution } = slowQueryOf(line.trimEnd(), context);
  if (at !== null) part.covers(at);
  if (execution === 'other') return;
  const isOlder =
    typeof execution === 'object' && execution.at < (begun.get(databaseOf(execution.shape.namespace)) ?? -Infinity);
  part.add(isOlder ? 'ignored' : execution);
}

/**
 * Since when the profiler of each database records everything, in ms since 1970, as the log says. Who switches it on begins a
 * record: what the log has from before is of an earlier one, such as a build's on a test server that was used again.
 */
function recordsBegun(lines: readonly string[]): Map<string, number> {
  const begun = new Map<string, number>();
  for (const line of lines) {
    if (!line.includes(PROFILER_SET)) continue;
    const { t, msg, attr } = parsedLine(line.trimEnd()) ?? {};
    const { from, to, db } = (attr ?? {}) as {
      readonly from?: Document;
      readonly to?: Document;
      readonly db?: unknown;
    };
    const at = Date.parse(t?.$date ?? '');
    if (msg !== PROFILER_SET || typeof db !== 'string' || Number.isNaN(at)) continue;
    if (to?.['level'] === ALL_OPERATIONS && from?.['level'] !== ALL_OPERATIONS && to['filter'] === undefined)
      begun.set(db, at);
  }
  return begun;
}

/** The profiler's threshold and sample rate are also the log's, and the same for every database. */
async function slowCoverage({ reader }: Member, databases: readonly string[]): Promise<Coverage> {
  const unknown: Coverage = { operations: 'slow', slowMilliseconds: null, sampleRate: null };
  const [database] = databases;
  if (database === undefined) return unknown;
  try {
    const settings: Document = await reader.command(database, { profile: PROFILER_SETTINGS });
    // As at level 1; but these are only the last lines, whatever the threshold.
    const coverage = profilerCoverage({ ...settings, was: 1 });
    return coverage.operations === 'all' ? inPart(coverage) : coverage;
  } catch (error) {
    // The lines count even without the privilege to read the profiler's settings.
    if (skipReason(error) === 'privilege' || skipReason(error) === 'unsupported') return unknown;
    throw error;
  }
}
