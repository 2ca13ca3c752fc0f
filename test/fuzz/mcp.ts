import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { SeededRandom } from '../../src/demo/seeded-random.js';
import { packageRoot } from '../../src/files/package-root.js';
import { mutated, mutatedText } from './mutation.js';
import type { Tried } from './outcome.js';
import type { FuzzedShop } from './shop.js';

const EVIDENCE = 'base.evidence.jsonl';
const SAVED = 'base.report.json';
const REPORT = { of: SAVED, offset: 0, limit: 5 };

const tool = (name: string, given: object) => ({ method: 'tools/call', params: { name, arguments: given } });

const HELLO = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fuzzing', version: '1' } },
};

/** What a client may ask, without an id. */
const ASKED: readonly { readonly method: string; readonly params?: object }[] = [
  HELLO,
  { method: 'tools/list' },
  { method: 'resources/list' },
  { method: 'resources/templates/list' },
  { method: 'resources/read', params: { uri: 'mongolint://checks/redundant-index' } },
  { method: 'ping' },
  tool('findings', {
    ...REPORT,
    severity: 'warning',
    check: 'redundant-index',
    namespace: 'shop.orders',
    suppressed: true,
  }),
  tool('findings', { of: EVIDENCE }),
  tool('explain', { of: SAVED, fingerprint: '0000000' }),
  tool('explain', { check: 'redundant-index' }),
  tool('top_shapes', REPORT),
  tool('compare', { old: EVIDENCE, new: SAVED }),
  tool('would_be_indexed', {
    evidence: EVIDENCE,
    namespace: 'shop.orders',
    filter: { total: '?number', lines: { $elemMatch: { at: { $gt: '?date' } } } },
    sort: { number: -1 },
    limit: 5,
    collation: { locale: 'en' },
  }),
  tool('would_be_indexed', {
    evidence: EVIDENCE,
    namespace: 'shop.orders',
    pipeline: [
      { $match: { $or: [{ total: 5 }, { number: { $in: [1, 2] } }] } },
      { $lookup: { from: 'customers', localField: 'customer_id', foreignField: 'number', as: 'customers' } },
      { $sort: { number: 1 } },
    ],
  }),
];

const MESSAGES = 25;

/** A server of two files is asked what nobody would ask, and then whether it is still there. */
export async function triedMcp(shop: FuzzedShop, random: SeededRandom): Promise<Tried> {
  const server = spawn(process.execPath, [join(packageRoot(), 'dist/bundle/cli.js'), 'mcp', EVIDENCE, SAVED], {
    cwd: shop.folder,
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const closed = once(server, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const stderr = text(server.stderr);
  const waiting = new Map<unknown, object>();
  const problems: string[] = [];
  createInterface({ input: server.stdout }).on('line', (line) => {
    const id = idIn(line);
    if (id === undefined || FAULTS.test(line)) problems.push(`it answers ${line.slice(0, 300)}`);
    waiting.delete(id);
    if (waiting.size === 0) server.stdin.end();
  });
  const send = (message: string) => server.stdin.write(`${message.replaceAll('\n', ' ')}\n`);
  // It may have ended before.
  server.stdin.on('error', () => undefined);
  const ask = (id: string, question: object) => {
    waiting.set(id, question);
    send(JSON.stringify({ jsonrpc: '2.0', id, ...question }));
  };
  ask('hello', HELLO);
  send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  for (let index = 0; index < MESSAGES; index += 1) {
    const { method, params = {} } = random.choose(ASKED);
    // What is a question, whatever it asks, is answered; the SDK drops what is none, as by its `_meta`.
    if (random.chance(0.7)) ask(`question ${index}`, { method, params: { ...mutated(params, random, 'json') } });
    else {
      const whole = { jsonrpc: '2.0', id: `odd ${index}`, method, params: { ...params, _meta: { progressToken: 1 } } };
      const odd = JSON.stringify(mutated(whole, random, 'json'));
      send(random.chance(0.5) ? mutatedText(odd, random) : odd);
    }
  }
  ask('still there', { method: 'ping' });
  const [code, signal] = await closed;
  const said = await stderr;
  if (waiting.size > 0) problems.push(`no answer to ${JSON.stringify([...waiting.values()]).slice(0, 1_000)}`);
  if (code !== 0) problems.push(`it ended with ${signal ?? code}`);
  if (/a bug in mongolint|^ +at /m.test(said)) problems.push('stderr has a stack');
  return { problems, stderr: said };
}

/** What no answer may hold. */
const FAULTS = /\bat [^"]*\.js:\d|a bug in mongolint|failed unexpectedly|\[object Object\]|\bNaN\b/;

/** Null if it is no answer, undefined if it is no message. */
function idIn(line: string): unknown {
  try {
    return (JSON.parse(line) as { readonly id?: unknown }).id ?? null;
  } catch {
    return undefined;
  }
}
