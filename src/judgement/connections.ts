import { inWords, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import { compareTexts } from '../text/compare-texts.js';
import { MS_PER_HOUR, MS_PER_MINUTE } from '../time-units.js';
import type { ClientConnections } from '../workload/operations/connection-tally.js';
import type { ServerCounters, Workload } from '../workload/workload.js';
import { applicationText } from './applications.js';
import { sumOf } from './quotient.js';

/** The time in ms below which there is no rate. */
const SHORTEST = MS_PER_MINUTE;

/** What an application opens, by the log that has the most of it. */
export interface Opening {
  /** "`shop-web` (nodejs 7.8.0), from 3 addresses" */
  readonly name: string;
  readonly source: ClientConnections['source'];
  /** Connections that ended within a minute. */
  readonly brief: number;
  /** Connections that were not closed. */
  readonly left: number;
  /** Estimated, of those that end within a minute. */
  readonly perHour: number;
  readonly windowMs: number;
}

/** What each application opens, the most first. */
export function openingsOf({ connections = [], sources }: Workload, created: number | null): Opening[] {
  const clients = groupedBy(connections, ({ appName, driver }) => JSON.stringify([appName, driver]));
  const all = [...clients.values()].map((entries): Opening => {
    const [source, best] = mostOfOneSource(entries, ({ opened }) => opened);
    const parts = best.map((entry) => ({ entry, windowMs: windowOf(sources, entry) }));
    const perHour = sumOf(parts, ({ entry, windowMs }) => (entry.brief * MS_PER_HOUR) / Math.max(SHORTEST, windowMs))!;
    return {
      name: nameOf(best),
      source,
      brief: sumOf(best, (each) => each.brief)!,
      left: sumOf(best, ({ opened, ended }) => opened - ended)!,
      // The last lines of a log may be those of a burst: what the server counted since its start bounds them.
      perHour: source === 'recentLog' && created !== null ? Math.min(perHour, created * best.length) : perHour,
      windowMs: Math.max(...parts.map(({ windowMs }) => windowMs)),
    };
  });
  return all.toSorted((one, other) => other.perHour - one.perHour || compareTexts(one.name, other.name));
}

/** Those of the source that has the most: several may hold the same. */
export function mostOfOneSource<Entry extends { readonly source: string }>(
  entries: readonly Entry[],
  of: (entry: Entry) => number,
): [source: Entry['source'], entries: readonly Entry[]] {
  const bySource = [...groupedBy(entries, ({ source }) => source)];
  return bySource.toSorted(([, one], [, other]) => sumOf(other, of)! - sumOf(one, of)!)[0]!;
}

function windowOf(sources: Workload['sources'], { source, member }: ClientConnections): number {
  // A log of mongos that has no operation counts with the others.
  const read = source === 'logFile' ? [sources.logFile, sources.routerLog] : [sources[source]];
  const windows = read
    .flatMap((each) => (each.present ? each.value.parts : []))
    .flatMap((part) => (part.window === null || part.member !== member ? [] : [part.window]));
  const from = Math.min(...windows.map((window) => window.from));
  const to = Math.max(...windows.map((window) => window.to));
  return windows.length === 0 ? 0 : to - from;
}

/** Connections that the server accepts per hour, on average since its start; null if unknown. */
export function createdPerHour(counters: ServerCounters | null): number | null {
  if (counters?.connections === undefined) return null;
  const { from, to } = counters.window;
  return (counters.connections.created * MS_PER_HOUR) / Math.max(SHORTEST, to - from);
}

function nameOf(entries: readonly ClientConnections[]): string {
  const [{ appName, driver }] = entries as [ClientConnections];
  const hosts = Math.max(...entries.map((each) => each.hosts));
  const addresses = [...new Set(entries.flatMap((each) => each.addresses ?? []))];
  const from = addresses.length > 0 ? inWords(addresses) : plural(hosts, 'address', 'addresses');
  return `${applicationText(appName)} (${driver ?? 'unknown driver'}, from ${from})`;
}
