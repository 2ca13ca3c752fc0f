/** The APIs of GitHub and GitLab are stood in for by a server of this test, by what their documentation says. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';

const TOKEN = 's3cret-token';
const REPORT = '<!-- mongolint -->\n# mongolint\n';

interface Stored {
  readonly id: number;
  body: string;
}

let server: Server;
let api: string;
let comments: Stored[];
let asked: string[];
let tokens: Set<string | undefined>;
let status: number;

beforeEach(async () => {
  [comments, asked, tokens, status] = [[], [], new Set(), 200];
  server = createServer((request, response) => {
    void (async () => {
      const value = await answer(request);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => void server.close());

async function answer(request: IncomingMessage): Promise<unknown> {
  const { method = '', url = '', headers } = request;
  const { pathname, searchParams } = new URL(url, api);
  asked.push(`${method} ${pathname}`);
  tokens.add(headers.authorization ?? (headers['private-token'] as string));
  const { body = '' } = JSON.parse((await text(request)) || '{}') as { body?: string };
  if (method === 'GET') {
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('per_page'))];
    return comments.slice((page - 1) * size, page * size);
  }
  if (method === 'POST') return comments.push({ id: 1_000 + comments.length, body });
  const stored = comments.find(({ id }) => pathname.endsWith(`/${id}`)) as Stored;
  stored.body = body;
  return stored;
}

const folder = () =>
  folderWith({
    'mongolint.md': REPORT,
    'event.json': '{ "pull_request": { "number": 7 } }',
    'push.json': '{}',
    'other.md': '# x',
  });

async function commented(host: 'github' | 'gitlab', changes: Record<string, string> = {}, file = 'mongolint.md') {
  const cwd = await folder();
  const env: Record<string, string> =
    host === 'github'
      ? {
          GITHUB_API_URL: api,
          GITHUB_REPOSITORY: 'a/b',
          GITHUB_EVENT_PATH: join(cwd, 'event.json'),
          GITHUB_TOKEN: TOKEN,
        }
      : {
          GITLAB_CI: 'true',
          CI_API_V4_URL: api,
          CI_PROJECT_ID: '5',
          CI_MERGE_REQUEST_IID: '7',
          MONGOLINT_GITLAB_TOKEN: TOKEN,
        };
  const changed = Object.entries(changes).map(([name, value]) => [name, value.replace('CWD', cwd)] as const);
  const done = await runCaptured(['comment', file], { ...env, ...Object.fromEntries(changed) }, cwd);
  expect(done.stdout + done.stderr).not.toContain(TOKEN);
  return done;
}

describe.each([
  ['github', '/repos/a/b/issues/7/comments', 'PATCH /repos/a/b/issues/comments/1000', `Bearer ${TOKEN}`],
  ['gitlab', '/projects/5/merge_requests/7/notes', 'PUT /projects/5/merge_requests/7/notes/1000', TOKEN],
] as const)('mongolint comment on %s', (host, list, update, token) => {
  it('writes one comment, and updates it with the next run', async () => {
    expect(await commented(host)).toEqual({ exitCode: 0, stdout: 'Commented.\n', stderr: '' });
    (comments[0] as Stored).body += 'old';
    expect(await commented(host)).toEqual({ exitCode: 0, stdout: 'Updated the comment.\n', stderr: '' });
    expect(comments).toEqual([{ id: 1_000, body: REPORT }]);
    expect(asked).toEqual([`GET ${list}`, `POST ${list}`, `GET ${list}`, update]);
    expect([...tokens]).toEqual([token]);
  });

  it('leaves the comments of others alone, and finds its own behind a hundred of them', async () => {
    comments = Array.from({ length: 150 }, (_, id) => ({ id, body: `a quote of ${REPORT}` }));
    comments.push({ id: 1_000, body: REPORT });
    await commented(host);
    expect(asked).toEqual([`GET ${list}`, `GET ${list}`, update]);
  });

  it('fails with a line if it is refused', async () => {
    status = 403;
    expect(await commented(host)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^127\.0\.0\.1:\d+ refused GET with HTTP 403; may the token write comments\?\n$/),
    });
  });
});

describe('mongolint comment', () => {
  it.each<[string, Record<string, string>, string, number, RegExp]>([
    ['of a push', { GITHUB_EVENT_PATH: 'CWD/push.json' }, 'mongolint.md', 0, /^This job is for no pull request/],
    ['without a token', { GITHUB_TOKEN: '' }, 'mongolint.md', 2, /needs GITHUB_TOKEN/],
    ['of another file', {}, 'other.md', 2, /^other\.md is no report that --format markdown wrote\.\n$/],
    ['of no file', {}, 'none.md', 2, /^none\.md can't be read: there is no such file\.\n$/],
  ])('%s comments nothing', async (_, changes, file, exitCode, stderr) => {
    expect(await commented('github', changes, file)).toMatchObject({
      exitCode,
      stdout: '',
      stderr: expect.stringMatching(stderr),
    });
    expect(asked).toEqual([]);
  });
});
