/**
 * Remedies held against recorded workloads: what each shape of operation examines before and after the commands that
 * mongolint prints. Issue 17: no shape gets worse, and what is printed as an estimate comes true.
 */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReplicaSet } from '../support/servers.js';
import { isWorse } from './comparison.js';
import { proofOf, type Proof } from './proof.js';
import { proofText } from './proof-text.js';
import { APPLICATION_WORKLOADS } from './workloads/applications.js';

const WORKLOADS = [...APPLICATION_WORKLOADS];

describe('the commands of remedies', () => {
  let server: Awaited<ReturnType<typeof startReplicaSet>>;
  let client: MongoClient;

  beforeAll(async () => {
    server = await startReplicaSet({ args: ['--setParameter', 'ttlMonitorEnabled=false'] });
    client = new MongoClient(server.uri);
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  describe.each(WORKLOADS.map((workload) => [workload.name, workload] as const))('%s', (_name, workload) => {
    let proof: Proof;

    beforeAll(async () => {
      proof = await proofOf(workload, server.uri, client);
      if (process.env['MONGOLINT_SHOW'] !== undefined) process.stderr.write(proofText(proof));
    });

    it('makes no shape worse', () => {
      expect(proof.shapes.filter(isWorse)).toEqual([]);
    });

    it('has the server refuse what it refused before, nothing else', () => {
      expect(proof.refusedElsewhere).toEqual([]);
    });

    it('replays the operations that the findings name', () => {
      const replayed = new Set(proof.shapes.map(({ id }) => id));
      const named = proof.findings.flatMap(({ impact }) => impact?.operations ?? []);
      expect(named.filter(({ id }) => !replayed.has(id))).toEqual([]);
    });
  });
});
