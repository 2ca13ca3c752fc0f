import { readFile, readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { notificationText } from '../../src/cli/notification-text.js';
import { keepNews, notificationUrl, notify, type Channel, type Delivery } from '../../src/cli/notify.js';
import { reportAddress } from '../../src/cli/report-targets.js';
import { UnsentFile } from '../../src/cli/unsent-messages.js';
import { KeptFile } from '../../src/files/kept-text.js';
import { LintError } from '../../src/lint-error.js';
import { withOwners, type OwnerRule } from '../../src/policy/ownership.js';
import type { Report } from '../../src/report/report.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';
import { temporaryFolder } from '../support/temporary-folder.js';

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
/** What `mongolint explain` and `accept` take. */
const idOf = (changes: Parameters<typeof policyFinding>[0]) => policyFinding(changes).fingerprint.slice(0, 7);
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
      `${ON_RS0}: 1 new finding (1 error)\n• error: unbounded-array in shop.orders young (${idOf({ path: 'young' })})`,
    ],
    [
      'something new about safety',
      [reportOf([{ ...added, group: 'safety', severity: 'warning' }, added])],
      [],
      `${ON_RS0}: 1 new finding (1 error), 1 new safety finding (1 warning)\n• error: unbounded-array in shop.orders young (${idOf({ path: 'young' })})\n• warning: unbounded-array in shop.orders young (${idOf({ path: 'young' })})`,
    ],
    [
      'something worse',
      [reportOf([policyFinding({ baseline: { status: 'new', severityBefore: 'info' } })])],
      [],
      `${ON_RS0}: 1 worse (1 error)\n• error, was info: unbounded-array in shop.orders items (${idOf({})})`,
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
      `mongolint on a, b: 2 new findings (1 error, 1 warning)\n• error: unbounded-array in b shop.orders items (${idOf({})})\n• warning: unbounded-array in a shop.orders (${idOf({ path: null })})`,
    ],
    [
      'names that are markup',
      [reportOf([policyFinding({ namespace: 'shop.<!channel>&', path: '<a>' })], { target: '<!here>' })],
      [],
      `mongolint on <!here>: 1 new finding (1 error)\n• error: unbounded-array in <!here> shop.<!channel>& <a> (${idOf({ namespace: 'shop.<!channel>&', path: '<a>' })})`,
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

const to = (url: string, { format, unsent = null }: Partial<Delivery & Channel> = {}): Delivery => ({
  channels: [{ owner: null, url: new URL(url), format }],
  unsent,
  always: false,
});
const LOST = 'It is lost: with a baseline, a history or a state, it would be kept for the next run.';

/** Keeps what is news, and sends it, as a run does. */
async function send(delivery: Delivery, outcome: Parameters<typeof notify>[1], owners: OwnerRule[] = []) {
  return notify(delivery, outcome, owners, await keepNews(delivery, outcome, owners));
}

describe('notify', () => {
  it('posts the text as JSON', async () => {
    const requests: unknown[] = [];
    const address = await startHttpServer(async (request, response) => {
      requests.push([request.method, request.url, request.headers['content-type'], JSON.parse(await bodyOf(request))]);
      response.end('ok');
    });
    expect(await send(to(address + SECRET_PATH), outcomeOf([reportOf([added])]))).toEqual([]);
    expect(requests).toEqual([
      [
        'POST',
        SECRET_PATH,
        'application/json',
        { id: expect.any(String), text: notificationText(outcomeOf([reportOf([added])])) },
      ],
    ]);
  });

  it('says nothing where there is nothing to say', async () => {
    let requests = 0;
    const address = await startHttpServer((_, response) => {
      requests += 1;
      response.end();
    });
    expect(await send(to(address), outcomeOf([reportOf([known])]))).toEqual([]);
    expect(requests).toBe(0);
  });

  it.each<[string, (address: string) => Parameters<typeof startHttpServer>[0], RegExp]>([
    ['refuses', () => (_, response) => response.writeHead(404).end(), /^The notification was refused: HTTP 404\.$/],
    ['hangs up', () => (request) => request.socket.destroy(), /^The notification could not be sent: \w+\.$/],
    [
      'sends elsewhere',
      () => (_, response) => response.writeHead(307, { location: `https://elsewhere.invalid${SECRET_PATH}` }).end(),
      /^The notification was refused: HTTP 307, a redirect, which is not followed: give the address it leads to\.$/,
    ],
    ['never answers', () => () => undefined, /^The notification could not be sent: no answer within 5000 ms\.$/],
  ])('gives up with a line, without the address, where the webhook %s', async (_, listener, expected) => {
    const address = await startHttpServer(listener(''));
    const [line, ...rest] = await send(to(address + SECRET_PATH), outcomeOf([reportOf([added])]));
    expect(line?.replace(` ${LOST}`, '')).toMatch(expected);
    expect(line).toContain(LOST);
    expect(rest).toEqual([]);
    expect(line).not.toMatch(/s3cret|127\.0\.0\.1/);
  });

  it('gives up where nobody listens', async () => {
    const [line] = await send(to('http://127.0.0.1:1/s3cret'), outcomeOf([reportOf([added])]));
    expect(line).toMatch(/^The notification could not be sent: (?:ECONNREFUSED|TypeError)\. It is lost/);
  });
});

const unsentIn = (folder: string) => new UnsentFile(new KeptFile(join(folder, 'unsent.jsonl'), 1_000_000, 0o600));

describe('a message that a webhook does not take', () => {
  interface Taken {
    readonly id: string;
    readonly text: string;
    readonly key: string | undefined;
  }

  async function webhook() {
    const state = { isUp: false, taken: [] as Taken[] };
    const address = await startHttpServer(async (request, response) => {
      const { id, text } = JSON.parse(await bodyOf(request)) as Taken;
      if (state.isUp) state.taken.push({ id, text, key: request.headers['idempotency-key'] as string });
      response.writeHead(state.isUp ? 200 : 503).end();
    });
    const folder = await temporaryFolder();
    const delivery = to(address, { unsent: unsentIn(folder) });
    const run = (path: string | null) =>
      send(delivery, outcomeOf([reportOf(path === null ? [] : [policyFinding({ path })])]));
    return { state, folder, delivery, run };
  }

  it('is sent with the next run, in order, once, with its id and time', async () => {
    const { state, folder, run } = await webhook();
    const refused = ['The notification was refused: HTTP 503. It will be sent with the next run.'];
    expect(await run('a')).toEqual(refused);
    // Where one is refused, the others would be.
    expect(await run('b')).toEqual(refused);
    state.isUp = true;
    expect(await run('c')).toEqual([]);
    expect(state.taken.map(({ text }) => text.replace(/from \S+Z;/, 'from then;'))).toEqual([
      expect.stringMatching(/^\(from then; may be a repeat\)\nmongolint .* a \(\w+\)$/s),
      expect.stringMatching(/^\(from then; may be a repeat\)\nmongolint .* b \(\w+\)$/s),
      expect.stringMatching(/^mongolint .* c \(\w+\)$/s),
    ]);
    expect(state.taken.every(({ id, key }) => id === key)).toBe(true);
    expect(new Set(state.taken.map(({ id }) => id)).size).toBe(3);
    expect(await run(null)).toEqual([]);
    expect(state.taken).toHaveLength(3);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is sent by a quiet run, too', async () => {
    const { state, run } = await webhook();
    await run('a');
    state.isUp = true;
    await run(null);
    expect(state.taken).toHaveLength(1);
  });

  it('is sent by the next run, marked, if its run was killed before it was known to be sent', async () => {
    const { state, folder, delivery, run } = await webhook();
    const outcome = outcomeOf([reportOf([policyFinding({ path: 'a' })])]);
    const { kept, lines } = await keepNews(delivery, outcome, []);
    expect(lines).toEqual([]);
    state.isUp = true;
    await run(null);
    expect(state.taken.map(({ id, text }) => [id, text.slice(0, 6)])).toEqual([[kept.get(null)?.id, '(from ']]);
    await run(null);
    expect(state.taken).toHaveLength(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('tells what failed after it was kept, under the same id', async () => {
    const { state, delivery } = await webhook();
    state.isUp = true;
    const news = await keepNews(delivery, outcomeOf([reportOf([added])]), []);
    await notify(delivery, outcomeOf([reportOf([added])], ['The baseline could not be written.']), [], news);
    expect(state.taken).toMatchObject([
      { id: news.kept.get(null)?.id, text: expect.stringContaining('the run failed') },
    ]);
  });

  it('is not sent by a run whose news another one has kept', async () => {
    const { state, delivery } = await webhook();
    state.isUp = true;
    const outcome = outcomeOf([reportOf([added])]);
    await notify(delivery, outcome, [], { waiting: [], kept: new Map([[null, null]]), lines: [] });
    expect(state.taken).toEqual([]);
  });

  it('is lost only if it could not be kept either', async () => {
    const { delivery } = await webhook();
    const broken = { ...delivery, unsent: new UnsentFile(new KeptFile('/nowhere/unsent.jsonl', 1)) };
    const outcome = outcomeOf([reportOf([added])]);
    const news = await keepNews(broken, outcome, []);
    expect(news.lines).toEqual(["Messages can't be kept for the next run: its folder does not exist."]);
    expect(await notify(broken, outcome, [], news)).toEqual([`The notification was refused: HTTP 503. ${LOST}`]);
  });

  it('is not lost between runs at once', async () => {
    const { state, folder, run } = await webhook();
    await Promise.all(['a', 'b', 'c', 'd'].map(run));
    state.isUp = true;
    await run(null);
    expect([...new Set(state.taken.map(({ text }) => text.split(' ').at(-2)))].sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is without the address of the webhook where it is kept', async () => {
    const { folder } = await webhook();
    const secret = to(`http://127.0.0.1:1${SECRET_PATH}`, { unsent: unsentIn(folder) });
    await send(secret, outcomeOf([reportOf([added])]));
    expect(await readFile(join(folder, 'unsent.jsonl'), 'utf8')).not.toContain('s3cret');
  });
});

describe('the format of a message', () => {
  it.each<['slack' | 'teams' | 'json', unknown]>([
    ['slack', { text: expect.stringContaining('shop.*[x](http://a) &lt;!here&gt;') }],
    ['json', { id: expect.any(String), text: expect.stringContaining('&lt;!here&gt;') }],
    [
      'teams',
      {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              type: 'AdaptiveCard',
              body: [
                { type: 'TextBlock', wrap: true },
                {
                  text: expect.stringContaining(
                    String.raw`• error: unbounded-array in shop.\*\[x\]\(http://a\) <!here> old \(`,
                  ),
                },
              ],
            },
          },
        ],
      },
    ],
  ])('%s is what that service takes, and a name stays a name', async (format, expected) => {
    const bodies: unknown[] = [];
    const address = await startHttpServer(async (request, response) => {
      bodies.push(JSON.parse(await bodyOf(request)));
      response.end();
    });
    const hostile = policyFinding({ namespace: 'shop.*[x](http://a) <!here>', path: 'old' });
    expect(await send(to(address, { format }), outcomeOf([reportOf([hostile])]))).toEqual([]);
    expect(bodies).toMatchObject([expected]);
    expect(Object.keys(bodies[0] as object)).toEqual(Object.keys(expected as object));
  });
});

/** What Microsoft's manual states of messages to a webhook of Teams ("Create and send messages") and of Adaptive Cards 1.4. */
const TEAMS = {
  type: 'object',
  required: ['type', 'attachments'],
  additionalProperties: false,
  properties: {
    type: { const: 'message' },
    attachments: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['contentType', 'content'],
        properties: {
          contentType: { const: 'application/vnd.microsoft.card.adaptive' },
          content: {
            type: 'object',
            required: ['type', 'version', 'body'],
            properties: {
              type: { const: 'AdaptiveCard' },
              version: { enum: ['1.0', '1.1', '1.2', '1.3', '1.4'] },
              body: {
                type: 'array',
                minItems: 1,
                items: {
                  type: 'object',
                  required: ['type', 'text'],
                  properties: {
                    type: { const: 'TextBlock' },
                    text: { type: 'string', minLength: 1 },
                    wrap: { type: 'boolean' },
                    spacing: { enum: ['Default', 'None', 'Small', 'Medium', 'Large', 'ExtraLarge', 'Padding'] },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};
/** In bytes. The same manual, "Rate limiting": 28 KB. */
const MOST_OF_TEAMS = 28 * 1024;

it.each([0, 1, 200])('a message to Teams about %i findings is what its manual states, and fits', async (count) => {
  const bodies: string[] = [];
  const address = await startHttpServer(async (request, response) => {
    bodies.push(await bodyOf(request));
    response.end();
  });
  const findings = Array.from({ length: count }, (_, index) => policyFinding({ path: `path_${index}` }));
  const delivery = { ...to(address, { format: 'teams' }), always: true };
  expect(await send(delivery, outcomeOf([reportOf(findings)]))).toEqual([]);
  const ajv = new Ajv({ strict: false });
  const [body = ''] = bodies;
  expect(ajv.validate(TEAMS, JSON.parse(body)) ? [] : ajv.errors).toEqual([]);
  expect(Buffer.byteLength(body)).toBeLessThan(MOST_OF_TEAMS);
});

describe('channels', () => {
  const rules = [
    { glob: 'shop.*', owner: 'team-shop' },
    { glob: 'crm.*', owner: 'team-crm' },
  ];

  async function webhooks() {
    const state = { down: new Set<string>(), taken: [] as [string, string][] };
    const address = await startHttpServer(async (request, response) => {
      const { text } = JSON.parse(await bodyOf(request)) as { text: string };
      const [at, isDown] = [request.url ?? '', state.down.has(request.url ?? '')];
      if (!isDown) state.taken.push([at, text]);
      response.writeHead(isDown ? 503 : 200).end();
    });
    const channel = (owner: string | null) => ({ owner, url: new URL(`${address}/${owner ?? 'all'}`) });
    const unsent = unsentIn(await temporaryFolder());
    const run = (owners: readonly (string | null)[], namespaces: readonly string[], always = false) => {
      const report = reportOf(namespaces.map((namespace) => policyFinding({ namespace })));
      return send({ channels: owners.map(channel), unsent, always }, outcomeOf([withOwners(report, rules)]), rules);
    };
    return { state, run };
  }

  it('get what is their owner’s, and `notify` gets everything', async () => {
    const { state, run } = await webhooks();
    expect(await run([null, 'team-shop', 'team-crm'], ['shop.orders', 'ops.logs'])).toEqual([]);
    expect(state.taken.map(([at]) => at)).toEqual(['/all', '/team-shop']);
    expect(state.taken[0]?.[1]).toMatch(/2 new findings.*ops\.logs/s);
    expect(state.taken[1]?.[1]).toMatch(/1 new finding .*shop\.orders/s);
    expect(state.taken[1]?.[1]).not.toContain('ops.logs');
  });

  it('get what nobody owns if there is no `notify`', async () => {
    const { state, run } = await webhooks();
    await run(['team-shop', 'team-crm'], ['ops.logs']);
    expect(state.taken.map(([at]) => at)).toEqual(['/team-shop', '/team-crm']);
  });

  it('each get one line of a quiet night, if every run is to be reported', async () => {
    const { state, run } = await webhooks();
    await run([null, 'team-crm'], [], true);
    expect(state.taken).toEqual([
      ['/all', `${ON_RS0}: nothing new`],
      ['/team-crm', `${ON_RS0}: nothing new`],
    ]);
  });

  it('do not keep each other back, and one that was down gets its own message with the next run', async () => {
    const { state, run } = await webhooks();
    state.down.add('/team-shop');
    expect(await run(['team-shop', 'team-crm'], ['shop.orders', 'crm.people'])).toEqual([
      'The notification for team-shop was refused: HTTP 503. It will be sent with the next run.',
    ]);
    expect(state.taken.map(([at]) => at)).toEqual(['/team-crm']);
    state.down.clear();
    expect(await run(['team-shop', 'team-crm'], [])).toEqual([]);
    expect(state.taken.slice(1)).toEqual([['/team-shop', expect.stringMatching(/may be a repeat.*shop\.orders/s)]]);
  });
});

describe('a quiet run', () => {
  it('is one line, if every run is to be reported', () => {
    const baseline = { new: 0, known: 12, accepted: 3, fixed: 0, notJudged: 0 };
    const report = reportOf([known], { target: 'a' });
    const quiet = { ...report, summary: { ...report.summary, baseline } };
    expect(notificationText(outcomeOf([quiet]))).toBeNull();
    expect(notificationText(outcomeOf([quiet]), true)).toBe(
      'mongolint on a: nothing new; 12 known, 3 of them accepted',
    );
    expect(notificationText(outcomeOf([reportOf([], { target: 'a' })]), true)).toBe('mongolint on a: nothing new');
  });
});

describe('a target that is down', () => {
  it('does not make the others failed', () => {
    const reports = ['a', 'b', 'c', 'd', 'e'].map((target) => reportOf([], { target }));
    const outcome = { ...outcomeOf(reports, ['f: No usable server.']), targets: { total: 6, failed: 1 } };
    expect(notificationText(outcome)).toBe('mongolint on a, b, c, d, e: 1 of 6 targets failed\n• f: No usable server.');
    const all = { ...outcomeOf([], ['a: No usable server.']), targets: { total: 2, failed: 2 } };
    expect(notificationText(all)).toMatch(/^mongolint: the run failed/);
  });
});
