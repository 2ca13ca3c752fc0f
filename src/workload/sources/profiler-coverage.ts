import type { Document } from 'mongodb';
import { figureIn, neededFigure } from '../../connect/answer.js';
import type { Coverage } from '../workload.js';

const ALL_OPERATIONS = 2;

const SLOW_OPERATIONS = 1;

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
