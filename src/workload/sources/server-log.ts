import type { Document } from 'mongodb';
import { PROFILER_SETTINGS } from '../../connect/allowed-commands.js';
import { AnswerShapeError } from '../../connect/answer.js';
import type { Member } from '../../connect/cluster-reader.js';
import { skipReason } from '../../connect/server-error.js';
import { OperationTally, PartTally } from '../operations/operation-tally.js';
import type { Coverage, SourcePart } from '../workload.js';
import { CLIENT_METADATA } from './connection-drivers.js';
import { inPart, profilerCoverage } from './profiler.js';
import { LogContext, slowQueryOf } from './slow-query.js';
import { type Failure, gapsOf, readSource, type ReadSource, type SourceReading } from './source.js';

const ATTEMPT = {
  operation: 'reading the recent log lines of',
  privilege: 'getLog on the cluster, as in the role clusterMonitor',
};

/** Reads the log lines that each node keeps in memory: its last 1,024. */
export async function readRecentLog(
  nodes: readonly Member[],
  databases: readonly string[],
  { showValues, since, lineOf, transactions }: SourceReading,
): Promise<ReadSource> {
  const tally = new OperationTally();
  const parts: SourcePart[] = [];
  const failures: Failure[] = [];
  for (const node of nodes) {
    try {
      const { log } = await node.reader.command('admin', { getLog: 'global' });
      if (!Array.isArray(log)) throw new AnswerShapeError('getLog', 'log');
      const part = new PartTally(tally, since);
      const context = new LogContext(showValues, lineOf, transactions && { tally: transactions, source: 'recentLog' });
      for (const line of log as unknown[]) takeLine(String(line), part, context);
      for (const { execution } of context.unfinished()) part.add(execution);
      parts.push(part.part({ member: node.name }, await slowCoverage(node, databases)));
    } catch (error) {
      failures.push({ place: node.name, error });
    }
  }
  return readSource(parts, gapsOf(failures, ATTEMPT), tally, 'the log');
}

function takeLine(line: string, part: PartTally, context: LogContext): void {
  if (line.includes(CLIENT_METADATA)) context.drivers.add(line);
  const { at, execution, others = [] } = slowQueryOf(line.trimEnd(), context);
  if (at !== null) part.covers(at);
  if (execution !== 'other' && execution !== 'later') part.add(execution);
  for (const other of others) part.add(other);
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
