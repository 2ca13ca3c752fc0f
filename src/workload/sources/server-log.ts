import type { Document } from 'mongodb';
import { PROFILER_SETTINGS } from '../../connect/allowed-commands.js';
import { AnswerShapeError, figureIn, neededFigure } from '../../connect/answer.js';
import type { Member } from '../../connect/cluster-reader.js';
import { skipReason } from '../../connect/server-error.js';
import { KnownShapes } from '../operations/known-shapes.js';
import { OperationTally, PartTally } from '../operations/operation-tally.js';
import { type Failure, gapsOf, readSource, type ReadSource } from './source.js';
import { CLIENT_METADATA } from './connection-drivers.js';
import { LogContext, slowQueryOf } from './slow-query.js';
import type { Coverage, SourcePart } from '../workload.js';

const ALL_OPERATIONS = 2;
const SLOW_OPERATIONS = 1;

const ATTEMPT = {
  operation: 'reading the recent log lines of',
  privilege: 'getLog on the cluster, as in the role clusterMonitor',
};

/** Reads the log lines that each node keeps in memory: its last 1,024. */
export async function readRecentLog(
  nodes: readonly Member[],
  databases: readonly string[],
  { showValues }: { readonly showValues: boolean },
): Promise<ReadSource> {
  const tally = new OperationTally();
  const shapes = new KnownShapes();
  const parts: SourcePart[] = [];
  const failures: Failure[] = [];
  for (const node of nodes) {
    try {
      const { log } = await node.reader.command('admin', { getLog: 'global' });
      if (!Array.isArray(log)) throw new AnswerShapeError('getLog', 'log');
      const part = new PartTally(tally);
      const context = new LogContext(shapes, showValues);
      for (const line of log as unknown[]) takeLine(String(line), part, context);
      parts.push(part.part({ member: node.name }, await slowCoverage(node, databases)));
    } catch (error) {
      failures.push({ place: node.name, error });
    }
  }
  return readSource(parts, gapsOf(failures, ATTEMPT), tally, 'the log');
}

function takeLine(line: string, part: PartTally, context: LogContext): void {
  if (line.includes(CLIENT_METADATA)) context.drivers.add(line);
  const read = slowQueryOf(line.trimEnd(), context);
  if (read.at !== null) part.covers(read.at);
  if (read.execution !== 'other') part.add(read.execution);
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

/**
 * What a profiler records, by the answer of `profile: -1`.
 *
 * Source: MongoDB manual, "Database Profiler". At level 1 a filter decides instead of `slowms` and `sampleRate`, and a
 * `slowms` below 0 is shorter than any operation. At level 2 none of them counts.
 */
export function profilerCoverage(settings: Document): Coverage {
  const level = neededFigure('profile', settings, 'was');
  const limits = limitsOf(settings);
  if (level === ALL_OPERATIONS) return withRateLimit(settings);
  if (level !== SLOW_OPERATIONS) return { operations: 'none', ...limits };
  if (settings['filter'] !== undefined) return { operations: 'unknown', slowMilliseconds: null, sampleRate: null };
  const isSampled = limits.sampleRate === null || limits.sampleRate < 1;
  const isOfAll = limits.slowMilliseconds !== null && limits.slowMilliseconds < 0;
  return {
    ...limits,
    operations: isSampled ? 'part' : isOfAll ? 'all' : 'slow',
    slowMilliseconds: isOfAll ? null : limits.slowMilliseconds,
  };
}

export function inPart({ operations, slowMilliseconds }: Coverage): Coverage {
  const kept = operations === 'all' || operations === 'slow' ? 'part' : operations;
  return { operations: kept, slowMilliseconds: operations === 'all' ? null : slowMilliseconds, sampleRate: null };
}

function limitsOf(settings: Document): Omit<Coverage, 'operations'> {
  const { sampleRate, filter } = settings;
  // Before 3.6, nothing but `slowms` decided.
  const rate = sampleRate === undefined ? 1 : figureIn(settings, 'sampleRate');
  return { slowMilliseconds: figureIn(settings, 'slowms'), sampleRate: filter === undefined ? rate : null };
}

/** Percona's server records one of so many operations. Source: Percona Server for MongoDB manual, "Profiling rate limit". */
function withRateLimit(settings: Document): Coverage {
  const limit = figureIn(settings, 'ratelimit') ?? 1;
  return limit > 1
    ? { operations: 'part', slowMilliseconds: null, sampleRate: 1 / limit }
    : { operations: 'all', slowMilliseconds: null, sampleRate: 1 };
}
