/** The APIs of GitHub and GitLab are stood in for: `test/support/comment-host.ts`. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCaptured } from '../support/captured-io.js';
import { startCommentHost, type CommentHost, type StoredComment } from '../support/comment-host.js';
import { folderWith } from '../support/config-folder.js';

const TOKEN = 's3cret-token';
const REPORT = '<!-- mongolint -->\n# mongolint\n';

let standIn: CommentHost;
beforeEach(async () => (standIn = await startCommentHost()));
afterEach(() => standIn.close());

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
          GITHUB_API_URL: standIn.api,
          GITHUB_REPOSITORY: 'a/b',
          GITHUB_EVENT_PATH: join(cwd, 'event.json'),
          GITHUB_TOKEN: TOKEN,
        }
      : {
          GITLAB_CI: 'true',
          CI_API_V4_URL: standIn.api,
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
    (standIn.comments[0] as StoredComment).body += 'old';
    expect(await commented(host)).toEqual({ exitCode: 0, stdout: 'Updated the comment.\n', stderr: '' });
    expect(standIn.comments).toEqual([{ id: 1_000, body: REPORT }]);
    expect(standIn.asked).toEqual([`GET ${list}`, `POST ${list}`, `GET ${list}`, update]);
    expect([...standIn.tokens]).toEqual([token]);
  });

  it('leaves the comments of others alone, and finds its own behind a hundred of them', async () => {
    standIn.comments = Array.from({ length: 150 }, (_, id) => ({ id, body: `a quote of ${REPORT}` }));
    standIn.comments.push({ id: 1_000, body: REPORT });
    await commented(host);
    expect(standIn.asked).toEqual([`GET ${list}`, `GET ${list}`, update]);
  });

  it('fails with a line if it is refused', async () => {
    standIn.status = 403;
    expect(await commented(host)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^127\.0\.0\.1:\d+ refused GET with HTTP 403; may the token write comments\?\n$/),
    });
  });
});

it('says in a line that a host answers with something else', async () => {
  standIn.comments = [{ id: 'first', body: '' } as unknown as StoredComment];
  expect(await commented('github')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^127\.0\.0\.1:\d+ answered with what can't be read: ZodError\.\n$/),
  });
});

describe('mongolint comment', () => {
  it.each<[string, Record<string, string>, string, number, RegExp]>([
    ['of a push', { GITHUB_EVENT_PATH: 'CWD/push.json' }, 'mongolint.md', 0, /^This job is for no pull request/],
    ['without a token', { GITHUB_TOKEN: '' }, 'mongolint.md', 2, /needs GITHUB_TOKEN/],
    [
      'of an event that is none',
      { GITHUB_EVENT_PATH: 'CWD/other.md' },
      'mongolint.md',
      2,
      /is no event of GitHub\.\n$/,
    ],
    ['of another file', {}, 'other.md', 2, /^other\.md is no report that --format markdown wrote\.\n$/],
    ['of no file', {}, 'none.md', 2, /^none\.md can't be read: there is no such file\.\n$/],
  ])('%s comments nothing', async (_, changes, file, exitCode, stderr) => {
    expect(await commented('github', changes, file)).toMatchObject({
      exitCode,
      stdout: '',
      stderr: expect.stringMatching(stderr),
    });
    expect(standIn.asked).toEqual([]);
  });
});
