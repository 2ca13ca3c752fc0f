/** `mongolint rehearse` on what three applications recorded: nothing gets worse, and the linted server stays as it was. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import type { Rehearsal, RehearsedShape } from '../../src/rehearsal/rehearsal.js';
import { rehearse } from '../../src/rehearsal/rehearse.js';
import { startReplicaSet, startStandalone } from '../support/servers.js';
import { record } from './proof.js';
import { figure, markdownTable } from './proven-page.js';
import { APPLICATION_WORKLOADS } from './workloads/applications.js';

const NAMES = ['auth-adapter', 'mongoose-blog', 'loopback'];
const DOCUMENTS = 20_000;
/** Longest wait for a read: nothing may be skipped because the machine is busy. */
const PATIENCE_MS = 120_000;
const [BEGIN, END] = ['<!-- rehearsed -->', '<!-- end of rehearsed -->'];

describe('applications, rehearsed', () => {
  let linted: Awaited<ReturnType<typeof startReplicaSet>>;
  let scratch: Awaited<ReturnType<typeof startStandalone>>;
  let client: MongoClient;
  const rehearsals: Rehearsal[] = [];

  beforeAll(async () => {
    linted = await startReplicaSet({ args: ['--setParameter', 'ttlMonitorEnabled=false'] });
    scratch = await startStandalone();
    client = new MongoClient(linted.uri);
  });
  afterAll(async () => {
    await client?.close();
    await Promise.all([linted?.stop(), scratch?.stop()]);
  });

  it.each(NAMES)('%s: nothing gets worse, and something gets better', async (name) => {
    const workload = APPLICATION_WORKLOADS.find((each) => each.name === name);
    if (workload === undefined) throw new Error(`There is no application ${name}.`);
    await record(workload, linted.uri, client);
    const sizes = await client.db(name).stats();
    const rehearsal = await rehearse({
      uri: linted.uri,
      on: scratch.uri,
      include: [`${name}.*`],
      documents: DOCUMENTS,
      timeout: PATIENCE_MS,
      maxTime: 10 * PATIENCE_MS,
    });
    rehearsals.push(rehearsal);
    if (process.env['MONGOLINT_SHOW'] !== undefined) process.stderr.write(`${JSON.stringify(rehearsal, null, 1)}\n`);
    expect(rehearsal.shapes.filter(({ worse }) => worse)).toEqual([]);
    expect(rehearsal.commands.filter(({ refused }) => refused !== undefined)).toEqual([]);
    expect(better(rehearsal).length).toBeGreaterThan(0);
    const { objects, dataSize, indexes } = await client.db(name).stats();
    expect({ objects, dataSize, indexes }).toEqual({
      objects: sizes['objects'],
      dataSize: sizes['dataSize'],
      indexes: sizes['indexes'],
    });
  });

  it('are shown on the page', async () => {
    expect(rehearsals).toHaveLength(NAMES.length);
    if (process.env['MONGOLINT_WRITE'] === undefined) return;
    const path = join(packageRoot(), 'test', 'prove', 'README.md');
    const page = await readFile(path, 'utf8');
    const [before, after] = [page.slice(0, page.indexOf(BEGIN)), page.slice(page.indexOf(END))];
    await writeFile(path, `${before}${BEGIN}\n\n${pageOf(rehearsals, scratch.version)}\n\n${after}`);
  });
});

/** Shapes that examine at most half of what they examined. */
function better({ shapes }: Rehearsal): RehearsedShape[] {
  return shapes.filter(
    ({ before, after }) => before !== null && after !== null && after.documentsExamined <= before.documentsExamined / 2,
  );
}

function pageOf(rehearsals: readonly Rehearsal[], version: string): string {
  const shapes = rehearsals.flatMap((rehearsal) => rehearsal.shapes);
  const notRun = rehearsals
    .flatMap((rehearsal) => rehearsal.notRun)
    .filter(({ kind, reason }) => kind !== 'insert' && reason !== 'its collection is not linted');
  const rows = rehearsals
    .flatMap(better)
    .map(({ namespace, shape, before, after }) => [
      `\`${namespace}\``,
      shape.replaceAll('|', '\\|'),
      `${figure(before?.documentsExamined ?? 0)} → ${figure(after?.documentsExamined ?? 0)}`,
      `${figure(before?.keysExamined ?? 0)} → ${figure(after?.keysExamined ?? 0)}`,
      figure(after?.returned ?? 0),
      after?.indexes.map((index) => `\`${index}\``).join(', ') ?? '',
    ]);
  const worse = shapes.filter((shape) => shape.worse).length;
  return [
    `Measured on MongoDB ${version}: ${NAMES.map((name) => `\`${name}\``).join(', ')}, each collection scaled to ${DOCUMENTS.toLocaleString('en-US')} documents. Of ${shapes.length} operations, ${worse} got worse, and these examine half or less:`,
    markdownTable(['collection', 'operation', 'documents', 'keys', 'returned', 'index'], rows),
    notRun.length === 0
      ? 'Every operation that reads was run.'
      : `Not run: ${notRun.map(({ namespace, shape, reason }) => `\`${namespace}\`, ${shape}: ${reason}`).join('; ')}; and what ran on collections of the other two.`,
  ].join('\n\n');
}
