import { MongoClient } from 'mongodb';
import { startEmbeddedMongod } from '../embedded-mongod/embedded-mongod.js';
import { lint } from '../lint.js';
import type { CheckSetting, CheckSettings } from '../policy/check-settings.js';
import type { Report } from '../report/report.js';
import type { Exhibit } from './exhibit.js';
import { exhibits } from './exhibits/index.js';

/** The database that the demo plants its collections in. */
export const DEMO_DATABASE = 'demo';

/** What the linter made of one exhibit. */
export interface ExhibitOutcome {
  readonly exhibit: Exhibit;
  /** True where the check fired on the bad collection, at the path it should. */
  readonly fired: boolean;
  /** True where the check was silent on the twin. */
  readonly silent: boolean;
}

export interface DemoResult {
  readonly report: Report;
  readonly outcomes: readonly ExhibitOutcome[];
}

/**
 * Starts an embedded mongod, plants every exhibit, and lints it with the code that lints any cluster.
 *
 * @param onProgress hears what is being done, for people
 * @throws MongodNotFoundError where no mongod can be had
 */
export async function runDemo(onProgress: (message: string) => void): Promise<DemoResult> {
  const server = await startEmbeddedMongod({ replicaSet: true, onProgress });
  try {
    onProgress('planting anti-patterns beside their well-designed twins');
    await plantExhibits(server.uri);
    onProgress('linting');
    const report = await lint({ uri: server.uri, settings: exhibitSettings(DEMO_DATABASE) });
    return { report, outcomes: exhibits.map((exhibit) => outcomeOf(exhibit, report)) };
  } finally {
    await server.stop();
  }
}

async function plantExhibits(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  try {
    const database = client.db(DEMO_DATABASE);
    for (const { bad, twin } of exhibits) {
      await bad.plant(database);
      await twin.plant(database);
    }
  } finally {
    await client.close();
  }
}

function isIn(namespace: string, collection: string): boolean {
  return namespace.slice(namespace.indexOf('.') + 1) === collection;
}

/** The settings under which the exhibits, planted in this database, show what they are for. */
export function exhibitSettings(database: string): CheckSettings {
  return Object.fromEntries(
    exhibits.flatMap(({ check, thresholds, bad, twin }): [string, CheckSetting][] => {
      if (thresholds === undefined) return [];
      const namespaces = [bad, twin].map(({ name }) => ({ glob: `${database}.${name}`, severity: 'info' as const, thresholds }));
      return [[check, { severity: 'off', thresholds, namespaces }]];
    }),
  );
}

/** Holds an exhibit against the report. */
export function outcomeOf(exhibit: Exhibit, { findings }: Report): ExhibitOutcome {
  const of = findings.filter(({ check }) => check === exhibit.check);
  return {
    exhibit,
    fired: of.some(({ namespace, path }) => isIn(namespace, exhibit.bad.name) && path === exhibit.bad.path),
    silent: !of.some(({ namespace }) => isIn(namespace, exhibit.twin.name)),
  };
}
