import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderWith } from '../support/config-folder.js';
import { runBuilt } from '../support/faults/built-command.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';
import { startEmbeddedServer } from '../support/mongod/embedded-server.js';

// Class 6 of "Each input costs only itself": "a bug in mongolint" is one, and a cause is the right one.
const faulty = useFaultyShop();
const env = () => ({ MONGODB_URI: faulty.shop.uri });
const BUG = /a bug in mongolint|report what it prints/;

const plugin = (judge: string, beginning = '') => `${beginning};
export default { meta: { name: 'odd', version: '1.0.0' }, checks: [{ id: 'odd', title: 'T', summary: 's', docs: 'https://example.com/',
  appliesTo: ['collection'], needs: ['documents'], thresholds: {}, judge() { ${judge}; return []; } }] };`;

describe('an error of user code names its file, and is no bug in mongolint', () => {
  it.each([
    [
      'a check that throws where nothing waits for it',
      { 'odd.mjs': plugin("queueMicrotask(() => { throw new TypeError('x') })") },
      /odd\.mjs/,
    ],
    [
      'a check that rejects where nothing waits for it',
      { 'odd.mjs': plugin("Promise.reject(new RangeError('x'))") },
      /odd\.mjs/,
    ],
    ['a timer of a plugin', { 'odd.mjs': plugin('', "setTimeout(() => { throw new Error('x') }, 1)") }, /odd\.mjs/],
    [
      'a getter of a configuration',
      { 'mongolint.config.mjs': "export default { get checks() { throw new TypeError('x') } }" },
      /mongolint\.config\.mjs/,
    ],
    [
      'a proxy as a configuration',
      { 'mongolint.config.mjs': "export default new Proxy({}, { ownKeys() { throw new Error('x') } })" },
      /mongolint\.config\.mjs/,
    ],
    ['a getter of a plugin', { 'odd.mjs': "export default { get meta() { throw new Error('x') } }" }, /odd/],
    ['a configuration that throws a number', { 'mongolint.config.mjs': 'throw 5' }, /mongolint\.config\.mjs/],
    [
      'a configuration that exports a function',
      { 'mongolint.config.mjs': 'export default () => ({})' },
      /mongolint\.config\.mjs/,
    ],
  ])('%s', async (_, files, named) => {
    const cwd = await folderWith(files);
    const argv = 'odd.mjs' in files ? ['--plugin', './odd.mjs'] : [];
    const { code, stderr } = await runBuilt(argv, { cwd, env: env() });
    expect(code).toBe(2);
    expect(stderr).not.toMatch(BUG);
    expect(stderr).toMatch(named);
  });
});

describe('a webhook', () => {
  it('that redirects is said to redirect', async () => {
    const address = await startHttpServer((_, response) =>
      response.writeHead(307, { location: 'https://elsewhere.invalid/' }).end(),
    );
    const { code, stderr } = await runBuilt([], {
      cwd: await folderWith({}),
      env: { ...env(), MONGOLINT_NOTIFY: address },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/HTTP 307/);
    expect(stderr).toMatch(/redirect/);
  });
});

describe('an OTLP collector', () => {
  it('that never answers is said not to answer', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    onTestFinished(() => void silent.closeAllConnections());
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1/metrics`;
    const { code, stderr } = await runBuilt(['--otlp', url], { cwd: await folderWith({}), env: env() });
    expect(code).toBe(1);
    expect(stderr).toMatch(/no answer within 10 s/);
  });
});

describe('a server that closes each connection', () => {
  it('since all are taken is not said to require TLS alone', async () => {
    const server = await startEmbeddedServer({ replicaSet: false, args: ['--maxConns', '5'] });
    const port = Number(new URL(server.uri).port);
    const sockets = await Promise.all(
      Array.from({ length: 8 }, () => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        return once(socket, 'connect').then(() => socket);
      }),
    );
    const { code, stderr } = await runBuilt(
      [`mongodb://127.0.0.1:${port}/?directConnection=true`, '--timeout', '5000'],
      { cwd: await folderWith({}) },
    );
    for (const socket of sockets) socket.destroy();
    await server.stop();
    expect(code).toBe(2);
    expect(stderr).toMatch(/connections/);
    expect(stderr).not.toMatch(/does it require TLS/);
  });
});

describe('a disk that is full', () => {
  it('is named where evidence is collected', async () => {
    const cwd = await folderWith({});
    const { code, stderr } = await runBuilt(['collect', '--output', 'x.jsonl'], {
      cwd,
      env: env(),
      shell: "trap '' XFSZ; ulimit -f 1",
    });
    expect(code).toBe(2);
    expect(stderr).not.toMatch(BUG);
    expect(stderr).toMatch(/larger than files may be|disk is full/);
  });

  it('does not matter in the temporary folder', async () => {
    const cwd = await folderWith({});
    const { code, stderr } = await runBuilt([], { cwd, env: { ...env(), TMPDIR: '/proc/none' } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });
});
