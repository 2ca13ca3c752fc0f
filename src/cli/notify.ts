import { LintError } from '../lint-error.js';
import { notificationText, type RunOutcome } from './notification-text.js';

/** In ms. */
const TIMEOUT = 5_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The address of a webhook: a secret that is never printed. Throws a LintError if it is not a URL, or not encrypted. */
export function notificationUrl(text: string): URL {
  if (!URL.canParse(text)) throw new LintError('The address for --notify is not a URL.');
  const url = new URL(text);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))) return url;
  throw new LintError('The address for --notify must begin with https://, since it is a secret.');
}

/** Posts what is new, fixed or failed to a webhook, as JSON for Slack and others. Returns why it could not be sent, or null. */
export async function notify(url: URL, outcome: RunOutcome): Promise<string | null> {
  const text = notificationText(outcome);
  if (text === null) return null;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      // The address is a secret: it must not reach another host.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await response.body?.cancel();
    return response.ok ? null : `The notification was refused: HTTP ${response.status}.`;
  } catch (error) {
    return `The notification could not be sent: ${reasonOf(error)}.`;
  }
}

/** Not the message: it may quote the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT} ms`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}
