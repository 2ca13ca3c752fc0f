import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { unboundedArray } from '../../checks/unbounded-array.js';
import { lint } from '../../src/lint/lint.js';
import type { SkipReason } from '../../src/presence.js';
import type { SampleEnd } from '../../src/profile/document-profile.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { cutAfter, refused, swallow } from '../support/wire/reply-treatments.js';
import type { WireFault } from '../support/wire/wire-fault.js';
import { WireProxy } from '../support/wire/wire-proxy.js';

// A real server; the proxy stands in for what goes wrong between two batches.

const DOCUMENTS = 900;

const client = sharedClient();
const database = freshDatabase(client);
const threads = database.collection('threads');

const posts = (thread: number) => Array.from({ length: Math.ceil(1_200 / (thread + 1)) }, () => ({ text: 'words' }));

beforeEach(async () => {
  await threads.drop();
  await threads.insertMany(Array.from({ length: DOCUMENTS }, (_, thread) => ({ posts: posts(thread % 300) })));
});

const interruption = new AbortController();

/** The first batch, of an unknown link, holds some fifty documents. */
const inSecondBatch = (what: Omit<WireFault, 'on'>): WireFault => ({
  on: (sent) => sent['collection'] === 'threads' && sent['getMore'] !== undefined,
  ...what,
});

it.each<[string, WireFault]>([
  ['the connection is cut', inSecondBatch({ times: 1, reply: cutAfter(50) })],
  ['the server steps down', inSecondBatch({ times: 1, reply: refused(189, 'PrimarySteppedDown') })],
])('documents are read again when %s', async (_, fault) => {
  const proxy = await WireProxy.start({ uri: sharedReplicaSetUri(), faults: [fault] });
  onTestFinished(() => proxy.stop());
  const { namespace } = threads;
  const { collections, findings, skipped } = await lint({
    uri: proxy.uri,
    include: [namespace],
    checks: [unboundedArray],
    timeout: 10_000,
  });
  expect(collections).toMatchObject([{ sampled: { boundedBy: null, complete: true, documents: DOCUMENTS } }]);
  expect(findings).toMatchObject([{ check: 'unbounded-array', namespace, path: 'posts' }]);
  expect(skipped.filter(({ check }) => check === '*')).toEqual([]);
});

it.each<[string, WireFault, SampleEnd, SkipReason]>([
  [
    'the collection is dropped',
    inSecondBatch({ before: async () => void (await threads.drop()) }),
    'vanished',
    'vanished',
  ],
  ['no answer comes', inSecondBatch({ reply: swallow() }), 'time', 'timeout'],
  [
    'the run is interrupted',
    inSecondBatch({ before: () => interruption.abort(), reply: swallow() }),
    'interruption',
    'interrupted',
  ],
])('documents that were read before are judged when %s', async (_, fault, boundedBy, reason) => {
  const proxy = await WireProxy.start({ uri: sharedReplicaSetUri(), faults: [fault] });
  onTestFinished(() => proxy.stop());
  const { namespace } = threads;
  const { collections, findings, skipped } = await lint({
    uri: proxy.uri,
    include: [namespace],
    checks: [unboundedArray],
    timeout: 2_000,
    interruption: interruption.signal,
  });
  const [{ sampled } = { sampled: null }] = collections;
  expect(sampled).toMatchObject({ boundedBy, complete: false });
  expect(sampled?.documents).toBeGreaterThan(0);
  expect(sampled?.documents).toBeLessThan(DOCUMENTS);
  expect(findings).toMatchObject([{ check: 'unbounded-array', namespace, path: 'posts' }]);
  const entry = skipped.find(({ check }) => check === '*');
  expect(entry).toMatchObject({ namespace, reason });
  expect(entry?.detail).toMatch(new RegExp(`^only ${sampled?.documents} documents were read and judged before `));
});
