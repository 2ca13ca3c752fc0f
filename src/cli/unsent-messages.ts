import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { KeptText } from '../files/kept-text.js';

const messageSchema = z.object({
  /** By which a receiver knows that it has it already. */
  id: z.string(),
  at: z.string(),
  text: z.string(),
  /** Whose channel it is for; absent for the one that gets all news. */
  owner: z.string().optional(),
});

export type Message = z.infer<typeof messageSchema>;

/** Messages that are kept; older ones are dropped. Judgement: a quarter of nightly runs. */
export const MOST_KEPT = 100;

/** Messages that nobody knows to have been sent: those of runs whose webhook refused them, or that were ended too soon. */
export interface UnsentMessages {
  /** Those of earlier runs, the oldest first. @throws an error of the system, or of the server */
  waiting(): Promise<readonly Message[]>;
  /**
   * Keeps what is about to be sent, and gives it back with its ids. What another run has kept is left to that one.
   * @throws an error of the system, or of the server
   */
  keep(news: readonly Omit<Message, 'id'>[]): Promise<readonly Message[]>;
  /** Forgets one that was sent. @throws an error of the system, or of the server */
  settle(message: Message): Promise<void>;
}

/** Keeps them in a text, a line each. */
export class UnsentFile implements UnsentMessages {
  constructor(private readonly kept: KeptText) {}

  async waiting(): Promise<readonly Message[]> {
    return messagesIn(await this.kept.read());
  }

  async keep(news: readonly Omit<Message, 'id'>[]): Promise<readonly Message[]> {
    const messages = news.map((message) => ({ ...message, id: randomUUID() }));
    if (messages.length > 0) await this.#change((all) => [...all, ...messages].slice(-MOST_KEPT));
    return messages;
  }

  settle({ id }: Message): Promise<void> {
    return this.#change((all) => all.filter((message) => message.id !== id));
  }

  #change(change: (all: readonly Message[]) => readonly Message[]): Promise<void> {
    return this.kept.change((now) =>
      change(messagesIn(now))
        .map((message) => `${JSON.stringify(message)}\n`)
        .join(''),
    );
  }
}

function messagesIn(text: string | null): Message[] {
  return (text ?? '').split('\n').flatMap((line) => messageIn(line) ?? []);
}

/** The message in a line; null if it is none. */
export function messageIn(line: string): Message | null {
  try {
    return messageSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
