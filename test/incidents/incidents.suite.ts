/** Troubles that people told of in public: a report says of each what it was labelled with before the first run, or less. */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Finding } from '../../src/finding.js';
import { separated } from '../../src/findings/further-reasons.js';
import { Planting } from '../designs/planting.js';
import { lintRecorded } from '../oracle/recording.js';
import { startReplicaSet } from '../support/servers.js';
import type { Incident } from './incident.js';
import { INCIDENTS } from './index.js';
import { outcomeOf } from './outcome.js';

/** Longest wait for a read: nothing may be skipped because the machine is busy. */
const PATIENCE_MS = 120_000;

describe('incidents', () => {
  let server: Awaited<ReturnType<typeof startReplicaSet>>;
  let client: MongoClient;

  beforeAll(async () => {
    server = await startReplicaSet({});
    client = new MongoClient(server.uri);
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it.each(INCIDENTS.map((incident) => [incident.name, incident] as const))('%s', async (name, incident) => {
    const planting = new Planting(client.db(name), name);
    await incident.plant(planting);
    await recordOperations(planting.database, () => incident.use(planting.database, planting));
    const report = await lintRecorded(`incidents/${name}`, {
      uri: server.uri,
      include: [`${name}.*`],
      timeout: PATIENCE_MS,
      maxTime: 10 * PATIENCE_MS,
    });
    const findings = report.findings.flatMap(separated);
    // To be read and labelled, when an incident is added: MONGOLINT_SHOW=1.
    if (process.env['MONGOLINT_SHOW'] !== undefined) process.stderr.write(described(incident, findings));
    await client.db(name).dropDatabase();
    expect(incident.faults.map((fault) => outcomeOf(name, fault, findings))).toEqual(
      incident.faults.map(({ severity, short }) => short?.told ?? severity),
    );
    const loud = findings.filter(({ severity }) => severity !== 'info');
    expect(incident.faults.length === 0 ? loud : []).toEqual([]);
    expect(report.skipped.filter(({ reason }) => !['insufficient', 'bound', 'too-small'].includes(reason))).toEqual([]);
  });
});

function described(incident: Incident, findings: readonly Finding[]): string {
  const { name, faults } = incident;
  const labels = faults.map(
    (fault) =>
      `  ${fault.severity} -> ${outcomeOf(name, fault, findings)}: ${fault.collection} ${fault.what}\n    ${fault.cure}`,
  );
  const lines = findings.map(
    ({ severity, check, namespace, path, message, remedy }) =>
      `  ${severity} ${check} ${namespace} ${path ?? '-'}\n    ${message}\n${(remedy.commands ?? []).map((each) => `    > ${JSON.stringify(each.command)}\n`).join('')}`,
  );
  return [`\n## ${name}\n`, labels.map((line) => `${line}\n`).join(''), ...lines].join('');
}
