import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { unsafeServer } from '../../checks/unsafe-server.js';
import { lint } from '../../src/lint/lint.js';
import { bothReports } from '../support/both-reports.js';
import { useServer } from '../support/server-with-client.js';
import { startReplicaSet, startStandalone, startWithAuth } from '../support/servers.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { makeCertificates } from '../support/tls/certificates.js';

const SETTINGS = { 'unsafe-server': {} };

async function foundAt(uri: string): Promise<(string | null)[]> {
  const { findings, skipped } = await lint({ uri, checks: [unsafeServer], settings: SETTINGS });
  expect(skipped).toEqual([]);
  return findings.map(({ path }) => path);
}

describe('unsafe-server on real servers', () => {
  describe('without access control', () => {
    const server = useServer(() => startReplicaSet());

    it('finds that, and also by its file of evidence', async () => {
      expect(await foundAt(server.uri)).toEqual(expect.arrayContaining(['authentication', 'encryption']));
      const file = join(await temporaryFolder(), 'evidence.jsonl');
      const { linted, judged } = await bothReports(server.uri, file, { reading: { settings: SETTINGS } });
      expect(linted.findings.map(({ path }) => path)).toContain('authentication');
      expect(judged.findings).toEqual(linted.findings);
    });

    it('finds formats of an earlier release, and nothing of them once they are those of its own', async () => {
      const [release] = /^\d+\.\d+/.exec((await server.client.db('admin').command({ buildInfo: 1 }))['version']) ?? [];
      const before = release === '6.0' ? '5.0' : '6.0';
      const set = (version: string) =>
        server.client
          .db('admin')
          .command({ setFeatureCompatibilityVersion: version, ...(release !== '6.0' && { confirm: true }) });
      await set(before);
      expect(await foundAt(server.uri)).toContain('compatibility');
      await set(String(release));
      expect(await foundAt(server.uri)).not.toContain('compatibility');
    });
  });

  describe('with access control', () => {
    const server = useServer(() => startWithAuth());

    it('is silent about it', async () => {
      expect(await foundAt(server.uri)).not.toContain('authentication');
    });

    it('judges what a user may read, and says what that user may not', async () => {
      const admin = server.client.db('admin');
      await admin.command({ createUser: 'monitor', pwd: 'monitor', roles: ['clusterMonitor'] });
      const uri = server.uri.replace(/\/\/[^@]*@/, '//monitor:monitor@');
      const { findings, skipped } = await lint({ uri, checks: [unsafeServer], settings: SETTINGS });
      expect(findings.map(({ path }) => path)).toContain('encryption');
      expect(skipped.map(({ reason, detail }) => [reason, detail])).toEqual([
        ['privilege', expect.stringContaining('find on admin.system.version')],
      ]);
    });
  });

  it('is silent about encryption where clients use TLS', async () => {
    const folder = await temporaryFolder();
    const { ca, server: certificate } = await makeCertificates(folder);
    const args = ['--tlsMode', 'preferTLS', '--tlsCertificateKeyFile', certificate, '--tlsCAFile', ca];
    const server = await startStandalone({ args: [...args, '--tlsAllowConnectionsWithoutCertificates'] });
    try {
      expect(await foundAt(server.uri)).toContain('encryption');
      const client = new MongoClient(server.uri, { tls: true, tlsCAFile: ca });
      await client.db('admin').command({ ping: 1 });
      await client.close();
      expect(await foundAt(server.uri)).not.toContain('encryption');
    } finally {
      await server.stop();
    }
  });
});
