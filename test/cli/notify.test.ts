import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { notificationText } from '../../src/cli/notification-text.js';
import { notificationUrl, notify } from '../../src/cli/notify.js';
import { reportAddress } from '../../src/cli/report-address.js';
import { LintError } from '../../src/lint-error.js';
import type { Report } from '../../src/report/report.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

const reportOf = (findings: Report['findings'], changes: Partial<Report> = {}): Report => ({
  ...policyRun(['shop.orders'], { findings }).report,
  ...changes,
});
const known = policyFinding({ path: 'old', baseline: { status: 'known', severityBefore: 'error' } });
const added = policyFinding({ path: 'young', baseline: { status: 'new', severityBefore: null } });
const fixed = {
  check: 'deep-nesting',
  severity: 'info',
  namespace: 'shop.forms',
  path: null,
  fingerprint: 'f'.repeat(16),
} as const;
const SECRET_PATH = '/services/s3cret';

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const outcomeOf = (reports: readonly Report[], faults: readonly string[] = [], reportUrl: string | null = null) => ({
  reports,
  faults,
  reportUrl,
});
const ON_RS0 = 'mongolint on replica set rs0, MongoDB 6.0.5';

describe('notificationText', () => {
  it.each<[string, Report[], string[], string | null]>([
    ['nothing found', [reportOf([])], [], null],
    ['nothing new', [reportOf([known])], [], null],
    ['something not seen this time', [reportOf([known], { notSeen: [fixed] })], [], null],
    [
      'something suppressed',
      [reportOf([policyFinding({ suppressed: { by: 'a:1', reason: 'b', expires: null } })])],
      [],
      null,
    ],
    [
      'something new',
      [reportOf([known, added])],
      [],
      `${ON_RS0}: 1 new finding (1 error)\n• error: unbounded-array in shop.orders young`,
    ],
    [
      'something worse',
      [reportOf([policyFinding({ baseline: { status: 'new', severityBefore: 'info' } })])],
      [],
      `${ON_RS0}: 1 worse (1 error)\n• error, was info: unbounded-array in shop.orders items`,
    ],
    [
      'something fixed',
      [reportOf([known], { fixed: [fixed] })],
      [],
      `${ON_RS0}: 1 fixed\n• fixed: deep-nesting in shop.forms`,
    ],
    [
      'something gone',
      [reportOf([], { gone: [fixed], target: 'staging' })],
      [],
      'mongolint on staging: 1 gone with their collections\n• gone: deep-nesting in staging shop.forms',
    ],
    [
      'targets that failed, one without a report',
      [reportOf([], { target: 'a', failures: [{ reason: 'connection', detail: 'the connection was lost.' }] })],
      ['b: No usable server at db:27017 within 5000 ms.'],
      'mongolint on a: the run failed\n• b: No usable server at db:27017 within 5000 ms.\n• a: Not linted to the end: the connection was lost.',
    ],
    [
      'findings without a baseline, in several targets, the worst first',
      [
        reportOf([policyFinding({ path: null, severity: 'warning' })], { target: 'a' }),
        reportOf([policyFinding()], { target: 'b' }),
      ],
      [],
      'mongolint on a, b: 2 new findings (1 error, 1 warning)\n• error: unbounded-array in b shop.orders items\n• warning: unbounded-array in a shop.orders',
    ],
    [
      'names that are markup',
      [reportOf([policyFinding({ namespace: 'shop.<!channel>&', path: '<a>' })], { target: '<!here>' })],
      [],
      'mongolint on &lt;!here&gt;: 1 new finding (1 error)\n• error: unbounded-array in &lt;!here&gt; shop.&lt;!channel&gt;&amp; &lt;a&gt;',
    ],
  ])('%s', (_, reports, faults, expected) => {
    expect(notificationText(outcomeOf(reports, faults))).toBe(expected);
  });

  it('names no more than a message can hold, and links the report', () => {
    const findings = Array.from({ length: 500 }, (_, index) => policyFinding({ path: `p${index}` }));
    const faults = Array.from({ length: 30 }, (_, index) => `t${index}: no server.`);
    const url = 'https://reports.example/1?a=b';
    const lines = notificationText(outcomeOf([reportOf(findings)], faults, url))?.split('\n') ?? [];
    expect(lines).toHaveLength(1 + 5 + 1 + 20 + 1 + 1);
    expect(lines[0]).toBe(`${ON_RS0}: the run failed, 500 new findings (500 errors)`);
    expect(lines.filter((line) => line.startsWith('and '))).toEqual(['and 25 more', 'and 480 more']);
    expect(lines.at(-1)).toBe(`Report: ${url}`);
  });
});

describe('reportAddress', () => {
  const github = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'o/r', GITHUB_RUN_ID: '7' };
  it.each<[string, string | undefined, Record<string, string>, string | null]>([
    ['nothing', undefined, {}, null],
    ['what is set', 'https://reports.example/x', github, 'https://reports.example/x'],
    ['the run on GitHub', undefined, github, 'https://github.com/o/r/actions/runs/7'],
    ['half of what GitHub sets', undefined, { GITHUB_RUN_ID: '7' }, null],
    [
      'the job on GitLab',
      undefined,
      { CI_JOB_URL: 'https://gitlab.com/o/r/-/jobs/7' },
      'https://gitlab.com/o/r/-/jobs/7',
    ],
  ])('is %s', (_, set, env, expected) => {
    expect(reportAddress(set, env)).toBe(expected);
  });

  it.each(['reports', 'javascript:alert(1)', 'https://me:s3cret@reports.example/'])('refuses %j', (text) => {
    expect(() => reportAddress(text, {})).toThrow(LintError);
    expect(() => reportAddress(text, {})).not.toThrow(/s3cret/);
  });
});

describe('notificationUrl', () => {
  it.each(['https://hooks.example.com/s3cret', 'http://127.0.0.1:8080/', 'http://localhost/', 'http://[::1]:80/'])(
    'takes %s',
    (text) => {
      expect(notificationUrl(text).href).toContain(new URL(text).host);
    },
  );

  it.each([
    'http://hooks.example.com/s3cret',
    'file:///s3cret',
    's3cret',
    '',
    'ftp://localhost/s3cret',
    'http://127.0.0.1.evil.com/s3cret',
  ])('refuses %j, and does not print it', (text) => {
    expect(() => notificationUrl(text)).toThrow(LintError);
    expect(() => notificationUrl(text)).not.toThrow(/s3cret/);
  });
});

describe('notify', () => {
  it('posts the text as JSON', async () => {
    const requests: unknown[] = [];
    const address = await startHttpServer(async (request, response) => {
      requests.push([request.method, request.url, request.headers['content-type'], JSON.parse(await bodyOf(request))]);
      response.end('ok');
    });
    expect(await notify(new URL(address + SECRET_PATH), outcomeOf([reportOf([added])]))).toBeNull();
    expect(requests).toEqual([
      ['POST', SECRET_PATH, 'application/json', { text: notificationText(outcomeOf([reportOf([added])])) }],
    ]);
  });

  it('says nothing where there is nothing to say', async () => {
    let requests = 0;
    const address = await startHttpServer((_, response) => {
      requests += 1;
      response.end();
    });
    expect(await notify(new URL(address), outcomeOf([reportOf([known])]))).toBeNull();
    expect(requests).toBe(0);
  });

  it.each<[string, (address: string) => Parameters<typeof startHttpServer>[0], RegExp]>([
    ['refuses', () => (_, response) => response.writeHead(404).end(), /^The notification was refused: HTTP 404\.$/],
    ['hangs up', () => (request) => request.socket.destroy(), /^The notification could not be sent: \w+\.$/],
    [
      'sends elsewhere',
      () => (_, response) => response.writeHead(307, { location: `https://elsewhere.invalid${SECRET_PATH}` }).end(),
      /^The notification could not be sent: \w+\.$/,
    ],
    ['never answers', () => () => undefined, /^The notification could not be sent: no answer within 5000 ms\.$/],
  ])('gives up with a line, without the address, where the webhook %s', async (_, listener, expected) => {
    const address = await startHttpServer(listener(''));
    const line = await notify(new URL(address + SECRET_PATH), outcomeOf([reportOf([added])]));
    expect(line).toMatch(expected);
    expect(line).not.toMatch(/s3cret|127\.0\.0\.1/);
  });

  it('gives up where nobody listens', async () => {
    expect(await notify(new URL('http://127.0.0.1:1/s3cret'), outcomeOf([reportOf([added])]))).toMatch(
      /^The notification could not be sent: (?:ECONNREFUSED|TypeError)\.$/,
    );
  });
});
