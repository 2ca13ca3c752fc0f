import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { DelayingRelay } from '../../bench/delaying-relay.js';

const ONE_WAY_MS = 20;

describe('the relay of the bench', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => void (await Promise.all(closing.splice(0).map((close) => close()))));

  it('hands on everything in its order, and not before its time', async () => {
    const echo = createServer((socket) => void socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    const relay = new DelayingRelay((echo.address() as AddressInfo).port, ONE_WAY_MS);
    const socket = connect(await relay.start(), '127.0.0.1');
    closing.push(
      () => echo.close(),
      () => relay.stop(),
      () => socket.destroy(),
    );
    const sent = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const started = performance.now();
    socket.write(sent);
    let received = Buffer.alloc(0);
    for await (const bytes of socket) {
      received = Buffer.concat([received, bytes as Buffer]);
      if (received.length >= sent.length) break;
    }
    // A busy machine only makes it later; each timer may be a little early. Opening the connection takes a round trip, too.
    expect(performance.now() - started).toBeGreaterThan(3 * ONE_WAY_MS);
    expect(received.equals(sent)).toBe(true);
  });
});
