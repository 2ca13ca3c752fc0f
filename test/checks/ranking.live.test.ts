/** A mixed workload of twelve applications: the first five of the report are the five that the profiler says waste most. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import { renderTable } from '../../src/report/table.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { mostWasteful } from '../support/most-wasteful.js';
import { switchProfilerOn } from '../support/profiled-workload.js';
import {
  APPLICATIONS,
  plantCollections,
  runApplications,
  type Wasted,
  wastedByApplication,
} from '../support/workload/twelve-applications.js';

const client = sharedClient();

describe('a recorded workload of twelve applications', () => {
  const database = freshDatabase(client);
  let report: Report;
  let wasted: ReadonlyMap<string, Wasted>;

  beforeAll(async () => {
    await plantCollections(database);
    await switchProfilerOn(database);
    await runApplications(sharedReplicaSetUri(), database.databaseName);
    await database.command({ profile: 0 });
    wasted = await wastedByApplication(database);
    report = await lintShared({ include: [`${database.databaseName}.*`] });
  }, 120_000);

  const labelled = (name: string) => {
    const { weakness } = APPLICATIONS.find((application) => application.name === name) ?? {};
    return weakness === null || weakness === undefined
      ? `${name}: nothing`
      : `${weakness.check} ${database.databaseName}.${weakness.collection}`;
  };

  it('is told in the order of what the profiler counts', () => {
    const most = [...wasted].toSorted(([, one], [, other]) => other.examined - one.examined).map(([name]) => name);
    const first = mostWasteful(report.findings).findings.map(({ check, namespace }) => `${check} ${namespace}`);
    expect(first).toEqual(most.slice(0, 5).map(labelled));
  });

  it('says what share of all that was examined these five waste', async () => {
    const [{ examined = 0 } = {}] = await database
      .collection('system.profile')
      .aggregate<{ examined: number }>([
        { $match: { appName: { $in: APPLICATIONS.map(({ name }) => name) } } },
        { $group: { _id: null, examined: { $sum: { $add: ['$docsExamined', { $ifNull: ['$keysExamined', 0] }] } } } },
      ])
      .toArray();
    const five = [...wasted.values()]
      .map((each) => each.examined)
      .toSorted((one, other) => other - one)
      .slice(0, 5);
    expect(mostWasteful(report.findings).share).toBeCloseTo(five.reduce((sum, each) => sum + each, 0) / examined, 6);
  });

  it('has the waste and the executions of each, and nothing a day after minutes', () => {
    for (const { name, weakness, executions } of APPLICATIONS) {
      if (weakness === null) continue;
      const impact = findingOf(weakness)?.impact;
      expect([name, impact?.documents, impact?.executions]).toEqual([name, wasted.get(name)?.documents, executions]);
      expect(impact).not.toHaveProperty('documentsPerDay');
      expect(impact).not.toHaveProperty('msPerDay');
    }
  });

  it('orders the findings of one severity by it', () => {
    for (const severity of ['error', 'warning', 'info']) {
      const shares = report.findings
        .filter((finding) => finding.severity === severity)
        .map(({ impact }) => impact?.share ?? 0)
        .map((share) => (share < 0.01 ? 0 : share));
      expect(shares).toEqual(shares.toSorted((one, other) => other - one));
    }
  });

  it('begins the table with what costs most, what to do first and what it saves, and says in each other line what it wastes', () => {
    const text = renderTable(report, { width: 120, color: false });
    expect(text.split('\n')[2]).toMatch(/^Time +Examined +Costliest operations by time \(profiler, /);
    expect(text.match(/^(?:error|warning|info) +[\da-f]+ \S+ .* wastes [\d.]+ %/gm)?.length).toBeGreaterThan(2);
    expect(text.match(/ saves about [\d.]+ % of time/g)?.length).toBeGreaterThan(0);
  });

  const findingOf = ({ check, collection }: { readonly check: string; readonly collection: string }) =>
    report.findings.find(
      (finding) => finding.check === check && finding.namespace === `${database.databaseName}.${collection}`,
    );
});
