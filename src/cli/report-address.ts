import { LintError } from '../lint-error.js';
import type { Io } from './io.js';

/**
 * Where people find the report: the address that is set, or the page of the job that runs, on GitHub or GitLab. Null
 * if neither is known.
 * @throws LintError if what is set is no address of a page, or holds a password
 */
export function reportAddress(set: string | undefined, env: Io['env']): string | null {
  if (set !== undefined) return pageAddress(set);
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, CI_JOB_URL: job } = env;
  if (server !== undefined && repository !== undefined && run !== undefined)
    return `${server}/${repository}/actions/runs/${run}`;
  return job ?? null;
}

function pageAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new LintError('The address for --report-url is not a URL of the web.');
  if (url.username !== '' || url.password !== '')
    throw new LintError('The address for --report-url holds a user or password, and would be shown: leave them out.');
  return url.href;
}
