/** The APIs of GitHub and GitLab are stood in for: `test/support/comment-host.ts`. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCaptured } from '../support/captured-io.js';
import { startCommentHost, type CommentHost, type StoredComment } from '../support/comment-host.js';
import { folderWith } from '../support/config-folder.js';

const TOKEN = 's3cret-token';
const REPORT = '<!-- mongolint -->\n# mongolint\n';

let standIn: CommentHost;
let runs = 0;
beforeEach(async () => (standIn = await startCommentHost()));
afterEach(() => standIn.close());

const folder = () =>
  folderWith({
    'mongolint.md': REPORT,
    'event.json': '{ "pull_request": { "number": 7 } }',
    'push.json': '{}',
    'other.md': '# x',
  });

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: string;
  readonly name?: string;
}

async function commented(host: 'github' | 'gitlab', { env: changes = {}, file = 'mongolint.md', name }: Given = {}) {
  const cwd = await folder();
  const env: Record<string, string> =
    host === 'github'
      ? {
          GITHUB_API_URL: standIn.api,
          GITHUB_GRAPHQL_URL: `${standIn.api}/graphql`,
          GITHUB_REPOSITORY: 'a/b',
          GITHUB_WORKFLOW: 'Tests',
          GITHUB_JOB: 'lint',
          GITHUB_RUN_ID: String((runs += 1)),
          GITHUB_RUN_ATTEMPT: '1',
          GITHUB_EVENT_PATH: join(cwd, 'event.json'),
          GITHUB_TOKEN: TOKEN,
        }
      : {
          GITLAB_CI: 'true',
          CI_API_V4_URL: standIn.api,
          CI_PROJECT_ID: '5',
          CI_MERGE_REQUEST_IID: '7',
          CI_JOB_NAME: 'lint',
          MONGOLINT_GITLAB_TOKEN: TOKEN,
        };
  const changed = Object.entries(changes).map(([key, value]) => [key, value.replace('CWD', cwd)] as const);
  const named = name === undefined ? [] : ['--name', name];
  const done = await runCaptured(['comment', ...named, file], { ...env, ...Object.fromEntries(changed) }, cwd);
  expect(done.stdout + done.stderr).not.toContain(TOKEN);
  return done;
}

const WRITTEN = { exitCode: 0, stdout: 'Commented.\n', stderr: '' };
const UPDATED = { exitCode: 0, stdout: 'Updated the comment.\n', stderr: '' };

describe.each([
  [
    'github',
    '/repos/a/b/issues/7/comments',
    'PATCH /repos/a/b/issues/comments/1000',
    'POST /graphql',
    `Bearer ${TOKEN}`,
  ],
  ['gitlab', '/projects/5/merge_requests/7/notes', 'PUT /projects/5/merge_requests/7/notes/1000', 'GET /user', TOKEN],
] as const)('mongolint comment on %s', (host, list, update, account, token) => {
  it('writes one comment, and updates it with the next run', async () => {
    expect(await commented(host)).toEqual(WRITTEN);
    const [comment] = standIn.comments as [StoredComment];
    expect(comment.body).toMatch(/^<!-- mongolint [^<>]+ -->\n# mongolint\n$/);
    comment.body += 'old';
    expect(await commented(host)).toEqual(UPDATED);
    expect(standIn.comments).toHaveLength(1);
    expect(comment.body).not.toContain('old');
    expect(standIn.asked).toEqual([account, `GET ${list}`, `POST ${list}`, account, `GET ${list}`, update]);
    expect([...standIn.tokens]).toEqual([token]);
  });

  it('leaves the comments of others alone, whatever they begin with, and finds its own behind them', async () => {
    await commented(host);
    const [own] = standIn.comments as [StoredComment];
    const others = Array.from({ length: 2_500 }, (_, id) => ({ id: 5_000 + id, body: own.body, by: '7' }));
    standIn.comments = [...others];
    expect(await commented(host)).toEqual(WRITTEN);
    standIn.comments = [...others, own];
    expect(await commented(host)).toEqual(UPDATED);
    expect(others.every(({ body }) => body === others[0]?.body)).toBe(true);
  });

  it('fails with a line if there are more comments than it searches', async () => {
    standIn.comments = Array.from({ length: 10_000 }, (_, id) => ({ id, body: 'x', by: '7' }));
    expect(await commented(host)).toMatchObject({
      exitCode: 2,
      stderr: 'The comment to update is not among the first 10,000 comments.\n',
    });
    expect(standIn.comments).toHaveLength(10_000);
  });

  it('keeps a comment for each job, and for each name', async () => {
    const variable = host === 'github' ? 'GITHUB_JOB' : 'CI_JOB_NAME';
    expect(await commented(host)).toEqual(WRITTEN);
    expect(await commented(host, { env: { [variable]: 'nightly' } })).toEqual(WRITTEN);
    expect(await commented(host, { name: 'staging --> <b>' })).toEqual(WRITTEN);
    expect(await commented(host, { env: { [variable]: 'nightly' }, name: 'staging --> <b>' })).toEqual(UPDATED);
    expect(standIn.comments).toHaveLength(3);
  });

  it('fails with a line if it is refused', async () => {
    standIn.status = 403;
    expect(await commented(host)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^127\.0\.0\.1:\d+ refused (?:GET|POST) with HTTP 403; may the token write comments\?\n$/,
      ),
    });
  });
});

it('says in a line that a host answers with something else', async () => {
  standIn.comments = [{ id: 'first', body: '', by: '' } as unknown as StoredComment];
  expect(await commented('github')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^127\.0\.0\.1:\d+ sent an answer that can't be read: ZodError\.\n$/),
  });
});

describe('mongolint comment', () => {
  it('does not overwrite what another job of the same run wrote by the same name', async () => {
    const env = { GITHUB_RUN_ID: '900' };
    expect(await commented('github', { env })).toEqual(WRITTEN);
    expect(await commented('github', { env })).toMatchObject({
      exitCode: 2,
      stderr: 'This run already wrote a comment named "Tests lint": give each job and step its own --name.\n',
    });
    expect(await commented('github', { env: { ...env, GITHUB_RUN_ATTEMPT: '2' } })).toEqual(UPDATED);
  });

  it.each<[string, Record<string, string>, string, number, RegExp]>([
    ['of a push', { GITHUB_EVENT_PATH: 'CWD/push.json' }, 'mongolint.md', 0, /^This job has no pull request/],
    ['without a token', { GITHUB_TOKEN: '' }, 'mongolint.md', 2, /needs GITHUB_TOKEN/],
    [
      'of an event that is none',
      { GITHUB_EVENT_PATH: 'CWD/other.md' },
      'mongolint.md',
      2,
      /is not a GitHub event\.\n$/,
    ],
    ['of another file', {}, 'other.md', 2, /^other\.md was not written by --format markdown\.\n$/],
    ['of no file', {}, 'none.md', 2, /^none\.md can't be read: there is no such file\.\n$/],
  ])('%s comments nothing', async (_, changes, file, exitCode, stderr) => {
    expect(await commented('github', { env: changes, file })).toMatchObject({
      exitCode,
      stdout: '',
      stderr: expect.stringMatching(stderr),
    });
    expect(standIn.asked).toEqual([]);
  });
});
