import { randomUUID } from 'node:crypto';
import { errorName } from '../connect/server-error.js';
import { fileFault } from '../file-fault.js';
import { plural } from '../format.js';
import { LintError } from '../lint-error.js';
import { filteredByOwner, type OwnerRule } from '../policy/ownership.js';
import { notificationText, REPORT_LINE, type RunOutcome } from './notification-text.js';
import { MOST_KEPT, Outbox, type Message, type TakenMessages } from './outbox.js';

/** Of a message that may have come before. */
const AGAIN = '(again, perhaps: another run, which was ended or is under way, has begun to send this)';

/** In ms. */
const TIMEOUT = 5_000;
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
  /** Keeps what could not be sent, for the next run; null if there is no file for it. */
  readonly outbox: string | null;
  /** Whether a run without news sends a line, too. */
  readonly always: boolean;
  /** Tells runs apart that share a state; absent without one. */
  readonly claims?: Claims | undefined;
}

/** Which messages other runs have sent, or have begun to. */
export interface Claims {
  idOf(owner: string | null, text: string): string;
  claim(id: string): Promise<'new' | 'begun' | 'sent'>;
  settle(id: string, isSent: boolean): Promise<void>;
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

/** Ids of messages that are kept already, by the owner that each is for. */
export type Begun = ReadonlyMap<string | null, string>;

/**
 * Keeps what will be sent, before the baseline and the history that make it old news are written: a run that is ended between the two loses
 * nothing. A state has claims for that.
 *
 * @returns what {@link notify} is given, and lines on what could not be kept
 */
export async function beginNews(
  { channels, outbox: file, always, claims }: Delivery,
  outcome: RunOutcome,
  owners: readonly OwnerRule[] = [],
): Promise<{ readonly begun: Begun; readonly lines: readonly string[] }> {
  if (file === null || claims !== undefined) return { begun: new Map(), lines: [] };
  const messages = messagesOf(channels, outcome, owners, always).map((message) => ({ ...message, id: randomUUID() }));
  const lines: string[] = [];
  if (messages.length > 0) await new Outbox(file).begin(messages).catch(saying(lines));
  return { begun: new Map(messages.map(({ id, owner = null }) => [owner, id])), lines };
}

/**
 * Posts what earlier runs could not send, and then what is new, fixed or failed, to each channel. Each message has an id, and
 * arrives at least once if a later run can send it.
 *
 * @param owners what is whose, for the channels of owners
 * @param begun of {@link beginNews}
 * @returns lines on what could not be sent
 */
export async function notify(
  { channels, outbox: file, always, claims }: Delivery,
  outcome: RunOutcome,
  owners: readonly OwnerRule[] = [],
  begun: Begun = new Map(),
): Promise<string[]> {
  const outbox = file === null ? null : new Outbox(file);
  const lines: string[] = [];
  const taken: TakenMessages = (await outbox?.take().catch(saying(lines))) ?? { messages: [], files: [] };
  const ids = new Set(begun.values());
  const earlier = taken.messages.filter(({ id }) => !ids.has(id));
  const now = messagesOf(channels, outcome, owners, always)
    .filter((message) => !earlier.some((other) => other.begun === true && isSameNews(message, other)))
    .map((message) => {
      const { owner = null, text } = message;
      return { ...message, id: claims?.idOf(owner, text) ?? begun.get(owner) ?? randomUUID() };
    });
  const unsent: Message[] = [];
  // A message whose channel the configuration has no more goes where all news goes.
  const channelOf = (message: Message) =>
    channels.find(({ owner }) => owner === (message.owner ?? null)) ??
    channels.find((channel) => channel.owner === null);
  const failed = new Set<Channel>();
  const unnoted = (error: unknown) => {
    lines.push(`Whether another run has sent a message is not known: ${errorName(error)}.`);
    return null;
  };
  for (const message of [...earlier, ...now]) {
    const channel = channelOf(message);
    if (channel !== undefined && !failed.has(channel)) {
      const claim = (await claims?.claim(message.id).catch(unnoted)) ?? 'new';
      if (claim === 'sent') continue;
      const text = earlier.includes(message) ? late(message) : message.text;
      const fault = await sent({ ...message, text: claim === 'begun' ? `${AGAIN}\n${text}` : text }, channel);
      await claims?.settle(message.id, fault === null).catch(unnoted);
      if (fault === null) continue;
      lines.push(fault);
      failed.add(channel);
    }
    unsent.push(message);
  }
  if (unsent.length > 0)
    lines.push(
      outbox === null
        ? 'It is lost: with a baseline or a history, it would be kept for the next run.'
        : `${plural(Math.min(unsent.length, MOST_KEPT), 'message')} will be sent with the next run, and kept until then.${droppedText(unsent.length - MOST_KEPT)}`,
    );
  await outbox?.settle(taken.files, unsent).catch(saying(lines));
  return lines;
}

/** What each channel gets, without ids. */
function messagesOf(
  channels: readonly Channel[],
  outcome: RunOutcome,
  owners: readonly OwnerRule[],
  always: boolean,
): Omit<Message, 'id'>[] {
  const withUnowned = channels.every(({ owner }) => owner !== null);
  return channels.flatMap(({ owner }) => {
    const text = notificationText(owner === null ? outcome : ofOwner(outcome, owners, owner, withUnowned), always);
    return text === null ? [] : [{ at: new Date().toISOString(), text, ...(owner !== null && { owner }) }];
  });
}

/** True for what a run that was ended before it wrote its baseline has kept, and this one finds again. */
function isSameNews(one: Omit<Message, 'id'>, other: Omit<Message, 'id'>): boolean {
  return one.owner === other.owner && withoutReportLine(one.text) === withoutReportLine(other.text);
}

function withoutReportLine(text: string): string {
  const lines = text.split('\n');
  return lines.filter((line) => !line.startsWith(REPORT_LINE)).join('\n');
}

/** What failed concerns every owner. */
function ofOwner(outcome: RunOutcome, rules: readonly OwnerRule[], owner: string, withUnowned: boolean): RunOutcome {
  return {
    ...outcome,
    reports: outcome.reports.map((report) => filteredByOwner(report, rules, { owners: [owner], withUnowned })),
  };
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

function late({ at, text }: Message): string {
  return `(of ${at.slice(0, 16)}Z: it was not sent then, or the run was ended before it knew)\n${text}`;
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
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await response.body?.cancel();
    return response.ok ? null : `${what} was refused: HTTP ${response.status}.`;
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
