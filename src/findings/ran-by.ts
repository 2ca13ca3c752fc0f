import type { RanBy } from '../finding.js';
import { groupedBy } from '../grouped-by.js';
import { compareTexts } from '../text/compare-texts.js';
import type { ClientExecutions } from '../workload/operations/clients.js';
import { bestFigures } from '../workload/operations/figures.js';
import { FIGURE_SOURCES, type FigureSource, type Operation } from '../workload/workload.js';

/** Clients that a finding names; the shares of the others are missing. */
const MOST_NAMED = 10;

/**
 * Who runs operations, by application and user, with their shares of the executions that a source saw; the one with the most
 * first. Empty if the source knows no client.
 */
export function ranByOf(operations: readonly Operation[], source: FigureSource): RanBy[] {
  const figures = operations.flatMap((operation) => operation.figures[source] ?? []);
  const executions = figures.reduce((sum, each) => sum + each.executions, 0);
  const clients = figures.flatMap((each) => each.clients ?? []);
  if (executions === 0 || clients.length === 0) return [];
  const driverOf = driversByApplication(operations);
  const groups = [...groupedBy(clients, ({ appName, user }) => JSON.stringify([appName, user])).values()];
  const named = groups.map((alike): RanBy => {
    const [{ appName, user }] = alike as [ClientExecutions];
    const drivers = alike.flatMap(({ driver }) => driver ?? []);
    const driver = oneOf(drivers) ?? (drivers.length === 0 ? driverOf(appName) : null);
    const addresses = [...new Set(alike.flatMap((each) => each.addresses ?? []))];
    return {
      appName,
      ...(user !== null && { user }),
      ...(driver !== null && { driver }),
      ...(addresses.length > 0 && { addresses }),
      share: alike.reduce((sum, each) => sum + each.executions, 0) / executions,
    };
  });
  return named
    .toSorted((one, other) => other.share - one.share || compareTexts(one.appName ?? '', other.appName ?? ''))
    .slice(0, MOST_NAMED);
}

export interface UnnamedExecutions {
  readonly source: FigureSource;
  readonly executions: number;
  readonly unnamed: number;
}

/** By the source with the most executions; null if nothing was recorded, or all name their application. */
export function unnamedExecutions(operations: readonly Operation[]): UnnamedExecutions | null {
  const best = operations.map(bestFigures);
  const counts = FIGURE_SOURCES.map((source): UnnamedExecutions => {
    const figures = best.filter((each) => each.source === source).map((each) => each.figures);
    const executions = figures.reduce((sum, each) => sum + each.executions, 0);
    const named = figures
      .flatMap(({ clients = [] }) => clients)
      .reduce((sum, each) => sum + (each.appName === null ? 0 : each.executions), 0);
    return { source, executions, unnamed: Math.max(0, executions - named) };
  });
  const [most] = counts.toSorted((one, other) => other.executions - one.executions);
  return most === undefined || most.unnamed === 0 ? null : most;
}

/** The profiler records no driver, but another source may know that of the application. */
function driversByApplication(operations: readonly Operation[]): (appName: string | null) => string | null {
  const clients = operations.flatMap(({ figures }) =>
    FIGURE_SOURCES.flatMap((source) => figures[source]?.clients ?? []),
  );
  return (appName) =>
    appName === null
      ? null
      : oneOf(clients.flatMap((client) => (client.appName === appName ? (client.driver ?? []) : [])));
}

function oneOf(texts: readonly string[]): string | null {
  const [first, ...others] = new Set(texts);
  return first === undefined || others.length > 0 ? null : first;
}
