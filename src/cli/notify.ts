import { randomUUID } from 'node:crypto';
import { fileFault } from '../files/file-fault.js';
import { LintError } from '../lint-error.js';
import { filteredByOwner, type OwnerRule } from '../policy/ownership.js';
import { notificationText, REPORT_LINE, type RunOutcome } from './notification-text.js';
import type { Message, UnsentMessages } from './unsent-messages.js';

/** In ms. */
const TIMEOUT = 5_000;
const LOST = 'It is lost: with a baseline, a history or a state, it would be kept for the next run.';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export type NotifyFormat = 'slack' | 'teams' | 'json';

/** Whose addresses say which format they take. */
const HOSTS: readonly (readonly [RegExp, NotifyFormat])[] = [
  [/^hooks\.slack(?:-gov)?\.com$/, 'slack'],
  [/\.(?:webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)$/, 'teams'],
];

/** A webhook, and whose news it gets. */
export interface Channel {
  /** Who answers for the findings that it gets; null for all news. */
  readonly owner: string | null;
  readonly url: URL;
  /** As the address says, if absent. */
  readonly format?: NotifyFormat | undefined;
}

/** Where news goes, and how. */
export interface Delivery {
  readonly channels: readonly Channel[];
  /** Keeps what could not be sent for the next run; null if there is no place for it. */
  readonly unsent: UnsentMessages | null;
  /** Whether a run without news sends a line, too. */
  readonly always: boolean;
}

/**
 * The address of a webhook: a secret that is never printed.
 * @param key where it was given, for people
 * @throws LintError if it is not a URL, or not encrypted
 */
export function notificationUrl(text: string, key = '--notify'): URL {
  if (!URL.canParse(text)) throw new LintError(`The address for ${key} is not a URL.`);
  const url = new URL(text);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))) return url;
  throw new LintError(`The address for ${key} must begin with https://, since it is a secret.`);
}

/** What is to be sent: what earlier runs could not, and what this one has kept, by the owner of its channel. */
export interface News {
  readonly waiting: readonly Message[];
  /** Null for what another run sends. */
  readonly kept: ReadonlyMap<string | null, Message | null>;
  readonly lines: readonly string[];
}

/**
 * Keeps what will be sent, before that is written which makes it old news: a run that is ended between the two loses nothing.
 *
 * @param owners what is whose, for the channels of owners
 * @returns what {@link notify} is given, with lines on what could not be kept
 */
export async function keepNews(delivery: Delivery, outcome: RunOutcome, owners: readonly OwnerRule[]): Promise<News> {
  const { unsent } = delivery;
  if (unsent === null) return { waiting: [], kept: new Map(), lines: [] };
  const news = messagesOf(delivery, outcome, owners);
  try {
    const waiting = await unsent.waiting();
    const kept = await unsent.keep(news);
    const byOwner = new Map(
      news.map(({ owner }) => [owner ?? null, kept.find((message) => message.owner === owner) ?? null]),
    );
    return { waiting, kept: byOwner, lines: [] };
  } catch (error) {
    return { waiting: [], kept: new Map(), lines: [`Messages can't be kept for the next run: ${fileFault(error)}.`] };
  }
}

/**
 * Posts what earlier runs could not send, and then what is new, fixed or failed, to each channel: each message once. It has an
 * id, and comes again with the next run only if this one is not known to have sent it.
 *
 * @returns lines on what could not be sent
 */
export async function notify(
  delivery: Delivery,
  outcome: RunOutcome,
  owners: readonly OwnerRule[],
  { waiting, kept }: News,
): Promise<string[]> {
  const { channels, unsent } = delivery;
  const lines: string[] = [];
  const now = messagesOf(delivery, outcome, owners).flatMap((message) => {
    const own = kept.get(message.owner ?? null);
    return own === null ? [] : [{ ...message, id: own?.id ?? randomUUID() }];
  });
  const isKept = ({ id }: Message) => [...waiting, ...kept.values()].some((message) => message?.id === id);
  const failed = new Set<Channel>();
  for (const message of [...waiting.map(late), ...now]) {
    // One whose channel the configuration has no more goes where all news goes.
    const channel =
      channels.find(({ owner }) => owner === (message.owner ?? null)) ?? channels.find(({ owner }) => owner === null);
    if (channel === undefined || failed.has(channel)) continue;
    const fault = await sent(message, channel);
    if (fault !== null) {
      failed.add(channel);
      lines.push(`${fault} ${isKept(message) ? 'It will be sent with the next run.' : LOST}`);
    } else if (isKept(message))
      await unsent?.settle(message).catch((error: unknown) => {
        lines.push(`A message was sent, and the next run will repeat it: ${fileFault(error)}.`);
      });
  }
  return lines;
}

/** What each channel gets, without ids. */
function messagesOf(
  { channels, always }: Delivery,
  outcome: RunOutcome,
  owners: readonly OwnerRule[],
): Omit<Message, 'id'>[] {
  const withUnowned = channels.every(({ owner }) => owner !== null);
  return channels.flatMap(({ owner }) => {
    const text = notificationText(owner === null ? outcome : ofOwner(outcome, owners, owner, withUnowned), always);
    return text === null ? [] : [{ at: new Date().toISOString(), text, ...(owner !== null && { owner }) }];
  });
}

/** What failed concerns every owner. */
function ofOwner(outcome: RunOutcome, rules: readonly OwnerRule[], owner: string, withUnowned: boolean): RunOutcome {
  return {
    ...outcome,
    reports: outcome.reports.map((report) => filteredByOwner(report, rules, { owners: [owner], withUnowned })),
  };
}

function late(message: Message): Message {
  const { at, text } = message;
  return { ...message, text: `(from ${at.slice(0, 16)}Z; may be a repeat)\n${text}` };
}

/** Why it could not be sent, or null. */
async function sent(message: Message, { owner, url, format = formatOf(url) }: Channel): Promise<string | null> {
  const what = owner === null ? 'The notification' : `The notification for ${owner}`;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': message.id },
      body: JSON.stringify(PAYLOADS[format](message)),
      // The address is a secret: it must not reach another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await response.body?.cancel();
    const { ok, status } = response;
    const why =
      status >= 300 && status < 400 ? ', a redirect, which is not followed: give the address it leads to' : '';
    return ok ? null : `${what} was refused: HTTP ${status}${why}.`;
  } catch (error) {
    return `${what} could not be sent: ${reasonOf(error)}.`;
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
  if (text.startsWith(REPORT_LINE)) return text;
  return text.replaceAll(/[\\*_[\]()#`~]/g, String.raw`\$&`);
}

/** Not the message: it may quote the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT} ms`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}
