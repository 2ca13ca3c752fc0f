import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { z } from 'zod';
import { errorName } from '../connect/server-error.js';
import { readBounded } from '../files/bounded-file.js';
import { fileFault, isMissing } from '../files/file-fault.js';
import { formatCount } from '../format.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { COMMENT_MARKER } from '../report/markdown-text.js';
import type { Io } from './io.js';
import { withShownErrors } from './shown-errors.js';

/** In ms. */
const TIMEOUT = 15_000;
/** What both hosts take at most is less. */
const MOST_BYTES = 1024 * 1024;
const PER_PAGE = 100;
/** Pages that are searched for the comment: GitHub takes fewer comments. */
const MOST_PAGES = 100;
const HASH_DIGITS = 16;

/** Where the comments of the pull request stand, and how one of them is addressed. */
interface Comments {
  readonly list: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly updateMethod: 'PATCH' | 'PUT';
  ofId(id: number): URL;
  /** The job, unless a name is given. */
  readonly name: string;
  /** Identifies the run; empty if its jobs all have names of their own. */
  readonly run: string;
  /** The account of the token, as its comments name it. */
  account(): Promise<string>;
}

const EVENT = z.object({ pull_request: z.object({ number: z.int() }).optional() });

const COMMENTS = z.array(
  z
    .object({
      id: z.int(),
      body: z.string().nullish(),
      user: z.object({ login: z.string() }).nullish(),
      author: z.object({ id: z.int() }).nullish(),
    })
    .transform(({ id, body, user, author }) => ({ id, body: body ?? '', by: user?.login ?? String(author?.id) })),
);

type Comment = z.output<typeof COMMENTS>[number];

const GITHUB_ACCOUNT = z.object({ data: z.object({ viewer: z.object({ login: z.string() }) }) });

const GITLAB_ACCOUNT = z.object({ id: z.int() });

const NEEDS = 'comment runs in a job of GitHub Actions or GitLab CI for a pull request or merge request';

/**
 * Writes a Markdown report as a comment on the pull request of this job, or updates the one that an earlier run wrote.
 *
 * @param given the name of the comment, of which each has one; null for the name of the job
 */
export function commentCommand(file: string, given: string | null, io: Io): Promise<ExitCode> {
  return withShownErrors('', {}, io, async () => {
    const report = await readBounded(resolve(io.cwd(), file), MOST_BYTES).catch((error: unknown) => {
      throw new LintError(`${file} can't be read: ${isMissing(error) ? 'there is no such file' : fileFault(error)}.`);
    });
    if (!report.startsWith(COMMENT_MARKER)) throw new LintError(`${file} was not written by --format markdown.`);
    const comments = io.env['GITLAB_CI'] === 'true' ? ofGitlab(io) : await ofGithub(io);
    if (comments === null) {
      io.stderr.write('This job has no pull request to comment on.\n');
      return EXIT_CODES.clean;
    }
    const name = given ?? comments.name;
    const mark = `<!-- mongolint ${createHash('sha256').update(name).digest('hex').slice(0, HASH_DIGITS)}`;
    const ofRun = `${mark} ${comments.run}-->`;
    const known = await earlierComment(comments, `${mark} `);
    if (comments.run !== '' && known?.body.startsWith(ofRun) === true)
      throw new LintError(`This run already wrote a comment named "${name}": give each job and step its own --name.`);
    const body = `${ofRun}${report.slice(COMMENT_MARKER.length)}`;
    const [method, url] =
      known === null ? (['POST', comments.list] as const) : ([comments.updateMethod, comments.ofId(known.id)] as const);
    await asked(url, comments.headers, { method, body: JSON.stringify({ body }) }, z.unknown());
    io.stdout.write(known === null ? 'Commented.\n' : 'Updated the comment.\n');
    return EXIT_CODES.clean;
  });
}

async function ofGithub({ env }: Io): Promise<Comments | null> {
  const {
    GITHUB_API_URL: api = 'https://api.github.com',
    GITHUB_GRAPHQL_URL: graphql = 'https://api.github.com/graphql',
    GITHUB_WORKFLOW: workflow = '',
    GITHUB_JOB: job = '',
    GITHUB_RUN_ID: run = '',
    GITHUB_RUN_ATTEMPT: attempt = '',
    GITHUB_REPOSITORY: repository,
    GITHUB_EVENT_PATH: event,
  } = env;
  const token = needed(env, 'GITHUB_TOKEN');
  if (repository === undefined || event === undefined) throw new LintError(`${NEEDS}.`);
  const { pull_request: pull } = await readBounded(event, MOST_BYTES)
    .then((text) => EVENT.parse(JSON.parse(text)))
    .catch(() => {
      throw new LintError(`${event}, the file of GITHUB_EVENT_PATH, can't be read, or is not a GitHub event.`);
    });
  if (pull === undefined) return null;
  const issues = `${api}/repos/${repository}/issues`;
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' };
  return {
    list: new URL(`${issues}/${pull.number}/comments`),
    headers,
    name: `${workflow} ${job}`,
    // Jobs of a matrix have the same name.
    run: run === '' ? '' : `${run}.${attempt} `,
    async account() {
      // The token of a job may not ask for its user by the other API.
      const request = { method: 'POST', body: JSON.stringify({ query: '{ viewer { login } }' }) };
      return (await asked(new URL(graphql), headers, request, GITHUB_ACCOUNT)).data.viewer.login;
    },
    updateMethod: 'PATCH',
    ofId: (id) => new URL(`${issues}/comments/${id}`),
  };
}

function ofGitlab({ env }: Io): Comments | null {
  const { CI_API_V4_URL: api, CI_PROJECT_ID: project, CI_MERGE_REQUEST_IID: request, CI_JOB_NAME: name = '' } = env;
  const token = needed(env, 'MONGOLINT_GITLAB_TOKEN');
  if (api === undefined || project === undefined) throw new LintError(`${NEEDS}.`);
  if (request === undefined) return null;
  const notes = `${api}/projects/${project}/merge_requests/${request}/notes`;
  const headers = { 'private-token': token };
  return {
    list: new URL(notes),
    headers,
    name,
    run: '',
    account: async () => String((await asked(new URL(`${api}/user`), headers, {}, GITLAB_ACCOUNT)).id),
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

/** The one that begins with the mark and that the token's own account wrote: others may copy the mark. */
async function earlierComment({ list, headers, account }: Comments, mark: string): Promise<Comment | null> {
  const own = await account();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const url = new URL(list);
    url.search = new URLSearchParams({ per_page: String(PER_PAGE), page: String(page) }).toString();
    const comments = await asked(url, headers, {}, COMMENTS);
    const known = comments.find(({ body, by }) => by === own && body.startsWith(mark));
    if (known !== undefined) return known;
    if (comments.length < PER_PAGE) return null;
  }
  const most = formatCount(MOST_PAGES * PER_PAGE);
  throw new LintError(`The comment to update is not among the first ${most} comments.`);
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
    throw new LintError(`${url.host} could not be reached: ${errorName(error)}.`);
  });
  if (response.ok)
    return response
      .json()
      .then((answer) => schema.parse(answer))
      .catch((error: unknown) => {
        throw new LintError(`${url.host} sent an answer that can't be read: ${errorName(error)}.`);
      });
  await response.body?.cancel();
  const hint = response.status === 403 || response.status === 404 ? '; may the token write comments?' : '.';
  throw new LintError(`${url.host} refused ${request.method ?? 'GET'} with HTTP ${response.status}${hint}`);
}
