/**
 * Remedies held against recorded workloads: what each shape of operation examines before and after the commands that
 * mongolint prints: no shape gets worse, and what is printed as an estimate comes true.
 */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseOf } from '../../src/namespace.js';
import type { Report } from '../../src/report/report.js';
import { findWantedMongod } from '../support/mongod/wanted-mongod.js';
import { mostWasteful } from '../support/most-wasteful.js';
import { startReplicaSet } from '../support/servers.js';
import { isEstimateMet, isWorse } from './comparison.js';
import { proofText } from './proof-text.js';
import { lintWorkloads, proofOf, record, type Proof } from './proof.js';
import { writeProvenPage } from './proven-page.js';
import { isKnown, wasteInProfilers, wasteOf, type Waste } from './weaknesses.js';
import { APPLICATION_WORKLOADS } from './workloads/applications.js';
import { CHOICE_WORKLOADS } from './workloads/choices.js';
import { LITERATURE_WORKLOADS } from './workloads/literature.js';
import { WAITING, WAITING_WORKLOAD } from './workloads/waiting.js';

const FIVE = 5;
/** Of all estimates. */
const ESTIMATES_MET = 0.9;
/** Only these, by name, while a workload is being written. */
const only = process.env['MONGOLINT_WORKLOADS']?.split(',');
const WORKLOADS = [...APPLICATION_WORKLOADS, ...LITERATURE_WORKLOADS, ...CHOICE_WORKLOADS, WAITING_WORKLOAD].filter(
  ({ name }) => only?.includes(name) ?? true,
);

describe('recorded workloads on one server', () => {
  let server: Awaited<ReturnType<typeof startReplicaSet>>;
  let client: MongoClient;
  let report: Report;
  let waste: readonly Waste[];
  const proofs: Proof[] = [];

  beforeAll(async () => {
    server = await startReplicaSet({
      mongod: await findWantedMongod(),
      args: ['--setParameter', 'ttlMonitorEnabled=false'],
    });
    process.stderr.write(`${WORKLOADS.length} workloads on MongoDB ${server.version}\n`);
    client = new MongoClient(server.uri);
    for (const workload of WORKLOADS) await record(workload, server.uri, client);
    report = await lintWorkloads(server.uri, WORKLOADS);
    waste = await wasteInProfilers(
      client,
      WORKLOADS.map(({ name }) => name),
    );
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it('ranks first the five weaknesses that waste most by the profiler', () => {
    const [first, most] = [mostWasteful(report.findings).findings, wasteOf(waste).slice(0, FIVE)];
    if (process.env['MONGOLINT_SHOW'] !== undefined)
      process.stderr.write(
        `${JSON.stringify({ most, first: first.map(({ namespace, path, impact }) => ({ namespace, path, documents: impact?.documents })), waste: waste.slice(0, 4 * FIVE) }, null, 1)}\n`,
      );
    expect(first.map(({ namespace, path }) => [namespace, path])).toEqual(
      most.map(({ namespace, path }) => [namespace, path]),
    );
  });

  it('has no other operations that waste as much', () => {
    const [, , , , fifth] = wasteOf(waste);
    expect(waste.filter((each) => !isKnown(each) && each.examined >= (fifth?.examined ?? 0))).toEqual([]);
  });

  it('advises no index for what only waits', () => {
    const about = report.findings.filter(({ namespace }) => databaseOf(namespace) === WAITING);
    expect(about.filter(({ remedy }) => JSON.stringify(remedy).includes('createIndex'))).toEqual([]);
    const waits = report.waiting?.filter(({ namespace }) => databaseOf(namespace) === WAITING);
    expect(waits).toHaveLength(WORKLOADS.some(({ name }) => name === WAITING) ? 1 : 0);
  });

  describe.each(WORKLOADS.map((workload) => [workload.name, workload] as const))('%s', (_name, workload) => {
    let proof: Proof;

    beforeAll(async () => {
      proof = await proofOf(workload, report, client);
      proofs.push(proof);
      if (process.env['MONGOLINT_SHOW'] !== undefined) process.stderr.write(proofText(proof));
    });

    it('has no shape that the commands of the remedies make worse', () => {
      expect(proof.shapes.filter(isWorse)).toEqual([]);
    });

    it('has no operation that the server refuses only before or only after them', () => {
      expect(proof.refusedElsewhere).toEqual([]);
    });

    it('has a replay of each operation that the findings name', () => {
      const replayed = new Set(proof.shapes.map(({ id }) => id));
      const named = proof.findings.flatMap(({ impact }) => impact?.operations ?? []);
      expect(named.filter(({ id }) => !replayed.has(id))).toEqual([]);
    });
  });

  it('has estimates of which nine in ten are within a factor of two', () => {
    const estimated = proofs.flatMap(({ shapes }) => shapes).filter((shape) => isEstimateMet(shape) !== null);
    const met = estimated.filter((shape) => isEstimateMet(shape) === true);
    expect(met.length).toBeGreaterThanOrEqual(ESTIMATES_MET * estimated.length);
  });

  it('is shown on the page', async () => {
    if (process.env['MONGOLINT_WRITE'] !== undefined) await writeProvenPage(proofs, server.version);
    expect(proofs).toHaveLength(WORKLOADS.length);
  });
});
