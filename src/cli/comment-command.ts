import { resolve } from 'node:path';
import { z } from 'zod';
import { readBounded } from '../bounded-file.js';
import { errorName } from '../connect/server-error.js';
import { fileFault, isMissing } from '../file-fault.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import type { Io } from './io.js';
import { withShownErrors } from './shown-errors.js';

/** In ms. */
const TIMEOUT = 15_000;
/** What both hosts take at most is less. */
const MOST_BYTES = 1024 * 1024;
const PER_PAGE = 100;
/** Pages that are searched for the comment: 2,000 comments. */
const MOST_PAGES = 20;
/** With which the report begins: by it a job finds its comment again. */
const MARK = '<!-- mongolint -->';

/** Where the comments of the pull request stand, and how one of them is addressed. */
interface Comments {
  readonly list: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly updateMethod: 'PATCH' | 'PUT';
  ofId(id: number): URL;
}

const EVENT = z.object({ pull_request: z.object({ number: z.int() }).optional() });

const COMMENTS = z.array(z.object({ id: z.int(), body: z.string().nullish() }));

const NEEDS = 'comment runs in a job of GitHub Actions or GitLab CI for a pull request or merge request';

/** Writes a Markdown report as a comment on the pull request of this job, or updates the one that an earlier job wrote. */
export function commentCommand(file: string, io: Io): Promise<ExitCode> {
  return withShownErrors('', {}, io, async () => {
    const body = await readBounded(resolve(io.cwd(), file), MOST_BYTES).catch((error: unknown) => {
      throw new LintError(`${file} can't be read: ${isMissing(error) ? 'there is no such file' : fileFault(error)}.`);
    });
    if (!body.startsWith(MARK)) throw new LintError(`${file} is no report that --format markdown wrote.`);
    const comments = io.env['GITLAB_CI'] === 'true' ? ofGitlab(io) : await ofGithub(io);
    if (comments === null) {
      io.stderr.write('This job is for no pull request: there is nothing to comment on.\n');
      return EXIT_CODES.clean;
    }
    const known = await earlierComment(comments);
    const [method, url] =
      known === null ? (['POST', comments.list] as const) : ([comments.updateMethod, comments.ofId(known)] as const);
    await asked(url, comments.headers, { method, body: JSON.stringify({ body }) }, z.unknown());
    io.stdout.write(known === null ? 'Commented.\n' : 'Updated the comment.\n');
    return EXIT_CODES.clean;
  });
}

async function ofGithub({ env }: Io): Promise<Comments | null> {
  const {
    GITHUB_API_URL: api = 'https://api.github.com',
    GITHUB_REPOSITORY: repository,
    GITHUB_EVENT_PATH: event,
  } = env;
  const token = needed(env, 'GITHUB_TOKEN');
  if (repository === undefined || event === undefined) throw new LintError(`${NEEDS}.`);
  const { pull_request: pull } = await readBounded(event, MOST_BYTES)
    .then((text) => EVENT.parse(JSON.parse(text)))
    .catch(() => {
      throw new LintError(`${event}, the file of GITHUB_EVENT_PATH, can't be read, or is no event of GitHub.`);
    });
  if (pull === undefined) return null;
  const issues = `${api}/repos/${repository}/issues`;
  return {
    list: new URL(`${issues}/${pull.number}/comments`),
    headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
    updateMethod: 'PATCH',
    ofId: (id) => new URL(`${issues}/comments/${id}`),
  };
}

function ofGitlab({ env }: Io): Comments | null {
  const { CI_API_V4_URL: api, CI_PROJECT_ID: project, CI_MERGE_REQUEST_IID: request } = env;
  const token = needed(env, 'MONGOLINT_GITLAB_TOKEN');
  if (api === undefined || project === undefined) throw new LintError(`${NEEDS}.`);
  if (request === undefined) return null;
  const notes = `${api}/projects/${project}/merge_requests/${request}/notes`;
  return {
    list: new URL(notes),
    headers: { 'private-token': token },
    updateMethod: 'PUT',
    ofId: (id) => new URL(`${notes}/${id}`),
  };
}

function needed(env: Io['env'], name: string): string {
  const value = env[name];
  if (value === undefined || value === '')
    throw new LintError(`${NEEDS}, and needs ${name}: a token that may comment.`);
  return value;
}

async function earlierComment({ list, headers }: Comments): Promise<number | null> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const url = new URL(list);
    url.search = new URLSearchParams({ per_page: String(PER_PAGE), page: String(page) }).toString();
    const comments = await asked(url, headers, {}, COMMENTS);
    const own = comments.find(({ body }) => body?.startsWith(MARK));
    if (own !== undefined) return own.id;
    if (comments.length < PER_PAGE) return null;
  }
  return null;
}

/** @throws LintError that quotes neither the token nor what the host answered */
async function asked<Answer>(
  url: URL,
  headers: Comments['headers'],
  request: RequestInit,
  schema: z.ZodType<Answer>,
): Promise<Answer> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const all = { ...headers, 'content-type': 'application/json', 'user-agent': 'mongolint' };
  const response = await fetch(url, { ...request, headers: all, redirect: 'error', signal }).catch((error: unknown) => {
    throw new LintError(`${url.host} could not be asked: ${errorName(error)}.`);
  });
  if (response.ok)
    return response
      .json()
      .then((answer) => schema.parse(answer))
      .catch((error: unknown) => {
        throw new LintError(`${url.host} answered with what can't be read: ${errorName(error)}.`);
      });
  await response.body?.cancel();
  const hint = response.status === 403 || response.status === 404 ? '; may the token write comments?' : '.';
  throw new LintError(`${url.host} refused ${request.method ?? 'GET'} with HTTP ${response.status}${hint}`);
}
