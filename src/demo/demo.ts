import { setTimeout } from 'node:timers/promises';
import { type Db, MongoClient } from 'mongodb';
import type { CheckSetting, CheckSettings } from '../findings/check-settings.js';
import { separated } from '../findings/further-reasons.js';
import { lint } from '../lint/lint.js';
import { nameOf } from '../namespace.js';
import type { Report } from '../report/report.js';
import { startEmbeddedMongod } from './embedded-mongod/embedded-mongod.js';
import type { Exhibit, PlantedCollection } from './exhibit.js';
import { exhibits } from './exhibits/index.js';

/** In ms. */
const BETWEEN_ROUNDS = 250;

export const DEMO_DATABASE = 'demo';

export interface ExhibitOutcome {
  readonly exhibit: Exhibit;
  /** True if the check fired on the bad collection, at the path it should. */
  readonly fired: boolean;
  /** True if the check was silent on the twin. */
  readonly silent: boolean;
}

export interface DemoResult {
  readonly report: Report;
  readonly outcomes: readonly ExhibitOutcome[];
}

/**
 * Lints with the code that lints any cluster, while applications write to some exhibits.
 * @throws LintError if no mongod is available
 */
export async function runDemo(onProgress: (message: string) => void): Promise<DemoResult> {
  const server = await startEmbeddedMongod(onProgress);
  const client = new MongoClient(server.uri);
  try {
    const database = client.db(DEMO_DATABASE);
    onProgress('planting anti-patterns beside their well-designed twins');
    const collections = exhibits.flatMap(({ bad, twin }) => [bad, twin]);
    const [live, still] = [true, false].map((isLive) =>
      collections.filter(({ write }) => (write !== undefined) === isLive),
    ) as [PlantedCollection[], PlantedCollection[]];
    for (const collection of live) await collection.plant(database);
    // Most of what the oplog holds should show the writes.
    const report = await withLiveWrites(database, live, async () => {
      for (const collection of still) await collection.plant(database);
      onProgress('linting');
      return lint({ uri: server.uri, settings: exhibitSettings(DEMO_DATABASE) });
    });
    return { report, outcomes: exhibits.map((exhibit) => outcomeOf(exhibit, report)) };
  } finally {
    await client.close();
    await server.stop();
  }
}

function isIn(namespace: string, collection: string): boolean {
  return nameOf(namespace) === collection;
}

/** The settings under which the exhibits, planted in this database, show what they are for. */
export function exhibitSettings(database: string): CheckSettings {
  return Object.fromEntries(
    exhibits.flatMap(({ check, thresholds, bad, twin }): [string, CheckSetting][] => {
      if (thresholds === undefined) return [];
      const namespaces = [bad, twin].map(({ name }) => ({
        glob: `${database}.${name}`,
        severity: 'info' as const,
        thresholds,
      }));
      return [[check, { severity: 'off', namespaces }]];
    }),
  );
}

export function outcomeOf(exhibit: Exhibit, { findings }: Report): ExhibitOutcome {
  const of = findings.flatMap(separated).filter(({ check }) => check === exhibit.check);
  return {
    exhibit,
    fired: of.some(({ namespace, path }) => isIn(namespace, exhibit.bad.name) && path === exhibit.bad.path),
    silent: !of.some(({ namespace }) => isIn(namespace, exhibit.twin.name)),
  };
}

/** Lets applications write to planted collections for as long as something else is done. */
async function withLiveWrites<T>(
  database: Db,
  collections: readonly PlantedCollection[],
  run: () => Promise<T>,
): Promise<T> {
  const state = { isOver: false };
  const goOn = async () => {
    while (!state.isOver) {
      for (const collection of collections) await collection.write?.(database);
      await setTimeout(BETWEEN_ROUNDS);
    }
  };
  const running = run().finally(() => (state.isOver = true));
  const [result] = await Promise.all([running, goOn()]);
  return result;
}
