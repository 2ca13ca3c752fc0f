/** The collector is an HTTP server of the test that decodes OTLP as JSON, by the names of opentelemetry-proto. */
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';

const EVIDENCE = join(packageRoot(), 'test/evidence/recorded/v1/replica-set.evidence.jsonl.gz');

interface Point {
  readonly asDouble?: number;
  readonly asInt?: number;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
}

interface Sent {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: Point['attributes'] };
    readonly scopeMetrics: readonly {
      readonly metrics: readonly { readonly name: string; readonly gauge: { readonly dataPoints: readonly Point[] } }[];
    }[];
  }[];
}

async function collector(status = 200) {
  const requests: { url: string | undefined; type: string | undefined; sent: Sent }[] = [];
  const address = await startHttpServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as Sent;
    requests.push({ url: request.url, type: request.headers['content-type'], sent });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  return { requests, address: `${address}/v1/metrics` };
}

/** As Prometheus writes it, but for the order of labels. */
function linesOf({ resourceMetrics }: Sent): string[] {
  const metrics = resourceMetrics.flatMap((one) => one.scopeMetrics).flatMap((one) => one.metrics);
  return metrics.flatMap(({ name, gauge }) =>
    gauge.dataPoints.map(({ attributes, asDouble, asInt }) =>
      lineOf(
        name,
        attributes.map(({ key, value }) => `${key}="${value.stringValue}"`),
        asDouble ?? asInt,
      ),
    ),
  );
}

const lineOf = (name: string, labels: readonly string[], value: unknown) =>
  `${name}{${labels.toSorted().join()}} ${String(value)}`;

function linesInText(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (.*)$/.exec(line) ?? [];
      return lineOf(name, labels === '' ? [] : labels.split(/,(?=\w+=")/), Number(value));
    });
}

describe('--otlp', () => {
  it('sends the gauges that --format prometheus writes, once, of several targets by their names', async () => {
    const { requests, address } = await collector();
    const folder = await folderWith({});
    const argv = ['judge', EVIDENCE, '--fail-on', 'never', '--format', 'prometheus', '--otlp', address];
    const { stdout, stderr, exitCode } = await runCaptured(argv, {}, folder);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(requests).toMatchObject([{ url: '/v1/metrics', type: 'application/json' }]);
    const sent = requests[0]?.sent as Sent;
    expect(linesOf(sent).length).toBeGreaterThan(30);
    expect(linesOf(sent).toSorted()).toEqual(linesInText(stdout).toSorted());
    const attributes = sent.resourceMetrics[0]?.resource.attributes ?? [];
    expect(attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'mongolint' } });
  });

  it('sends that a target is down', async () => {
    const { requests, address } = await collector();
    const config = `targets: [{ alias: gone, uri: 'mongodb://127.0.0.1:1/', timeout: 300 }]\notlp: ${address}\n`;
    const folder = await folderWith({ 'mongolint.config.yaml': config });
    expect((await runCaptured([], {}, folder)).exitCode).toBe(2);
    expect(linesOf(requests[0]?.sent as Sent)).toContain('mongolint_up{target="gone"} 0');
  });

  it.each([
    [
      'a collector that refuses',
      async () => (await collector(400)).address,
      /^The metrics could not be sent by OTLP: HTTP 400\.\n$/,
    ],
    [
      'a collector that never answers',
      () => startHttpServer(() => undefined),
      /^The metrics could not be sent by OTLP: no answer within 10 s\.\n$/,
    ],
    ['nobody', async () => 'http://127.0.0.1:1/v1/metrics', /^The metrics could not be sent by OTLP: \w+\.\n$/],
  ])('says that %s took nothing, and does not fail the run', async (_, addressOf, expected) => {
    const argv = ['judge', EVIDENCE, '--fail-on', 'never', '--format', 'json', '--otlp', await addressOf()];
    const { stderr, exitCode } = await runCaptured(argv, {}, await folderWith({}));
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(expected);
  });

  it('refuses what is no address', async () => {
    const done = await runCaptured(['judge', EVIDENCE, '--otlp', 'localhost:4318'], {}, await folderWith({}));
    expect(done).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(/^--otlp takes the address/) });
  });
});
