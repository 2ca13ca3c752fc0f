import { randomUUID } from 'node:crypto';
import { fileFault } from '../file-fault.js';
import { plural } from '../format.js';
import { LintError } from '../lint-error.js';
import { notificationText, type RunOutcome } from './notification-text.js';
import { MOST_KEPT, Outbox, type Message, type TakenMessages } from './outbox.js';

/** In ms. */
const TIMEOUT = 5_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export type NotifyFormat = 'slack' | 'teams' | 'json';

/** Whose addresses say which format they take. */
const HOSTS: readonly (readonly [RegExp, NotifyFormat])[] = [
  [/^hooks\.slack(?:-gov)?\.com$/, 'slack'],
  [/\.(?:webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)$/, 'teams'],
];

/** Where news goes, and how. */
export interface Delivery {
  readonly url: URL;
  /** As the address says, if absent. */
  readonly format?: NotifyFormat | undefined;
  /** Keeps what could not be sent, for the next run; null if there is no file for it. */
  readonly outbox: string | null;
  /** Whether a run without news sends a line, too. */
  readonly always: boolean;
}

/** The address of a webhook: a secret that is never printed. Throws a LintError if it is not a URL, or not encrypted. */
export function notificationUrl(text: string): URL {
  if (!URL.canParse(text)) throw new LintError('The address for --notify is not a URL.');
  const url = new URL(text);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))) return url;
  throw new LintError('The address for --notify must begin with https://, since it is a secret.');
}

/**
 * Posts what earlier runs could not send, and then what is new, fixed or failed. Each message has an id, and arrives at least
 * once if a later run can send it.
 *
 * @returns lines on what could not be sent
 */
export async function notify(delivery: Delivery, outcome: RunOutcome): Promise<string[]> {
  const outbox = delivery.outbox === null ? null : new Outbox(delivery.outbox);
  const lines: string[] = [];
  const taken: TakenMessages = (await outbox?.take().catch(saying(lines))) ?? { messages: [], files: [] };
  const text = notificationText(outcome, delivery.always);
  const news = text === null ? [] : [{ id: randomUUID(), at: new Date().toISOString(), text }];
  const earlier = new Set(taken.messages.map(({ id }) => id));
  const waiting: Message[] = [...taken.messages, ...news];
  while (waiting[0] !== undefined) {
    const fault = await sent(earlier.has(waiting[0].id) ? late(waiting[0]) : waiting[0], delivery);
    if (fault !== null) {
      lines.push(fault);
      break;
    }
    waiting.shift();
  }
  if (waiting.length > 0)
    lines.push(
      outbox === null
        ? 'It is lost: with a baseline or a history, it would be kept for the next run.'
        : `${plural(Math.min(waiting.length, MOST_KEPT), 'message')} will be sent with the next run, and kept beside the baseline or history until then.${droppedText(waiting.length - MOST_KEPT)}`,
    );
  await outbox?.settle(taken.files, waiting).catch(saying(lines));
  return lines;
}

function droppedText(count: number): string {
  return count > 0 ? ` The oldest ${plural(count, 'message')} are dropped: no more than ${MOST_KEPT} are kept.` : '';
}

function saying(lines: string[]): (error: unknown) => null {
  return (error) => {
    lines.push(`The messages that wait for the next run can't be kept: ${fileFault(error)}.`);
    return null;
  };
}

function late(message: Message): Message {
  return { ...message, text: `(of ${message.at.slice(0, 16)}Z, which could not be sent then)\n${message.text}` };
}

/** Why it could not be sent, or null. */
async function sent(message: Message, { url, format = formatOf(url) }: Delivery): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': message.id },
      body: JSON.stringify(PAYLOADS[format](message)),
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

function formatOf({ hostname }: URL): NotifyFormat {
  return HOSTS.find(([host]) => host.test(hostname))?.[1] ?? 'json';
}

const PAYLOADS: Readonly<Record<NotifyFormat, (message: Message) => object>> = {
  slack: ({ text }) => ({ text: forSlack(text) }),
  teams: ({ text }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: text
            .split('\n')
            .map((line) => ({ type: 'TextBlock', text: forTeams(line), wrap: true, spacing: 'None' })),
        },
      },
    ],
  }),
  // Slack's own markup, so that other services that take Slack's messages show it, too.
  json: ({ id, text }) => ({ id, text: forSlack(text) }),
};

/** Source: Slack API documentation, "Formatting text for app surfaces", "Escaping text". */
function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Text blocks take a part of Markdown: emphasis, lists and links. Addresses stay links. */
function forTeams(text: string): string {
  if (text.startsWith('Report: ')) return text;
  return text.replaceAll(/[\\*_[\]()#`~]/g, String.raw`\$&`);
}

/** Not the message: it may quote the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT} ms`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}
