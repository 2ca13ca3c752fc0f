import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readBounded } from '../bounded-file.js';
import { FileFault, nullIfMissing } from '../file-fault.js';
import { PRIVATE_MODE } from '../file-replacement.js';

/** A message, with what tells a receiver that it has it already, and the owner whose channel it is for. */
const messageSchema = z.object({
  id: z.string(),
  at: z.string(),
  text: z.string(),
  owner: z.string().optional(),
  /** Present until it is known whether it was sent. */
  begun: z.literal(true).optional(),
});
export type Message = z.infer<typeof messageSchema>;

/** Messages that are kept; older ones are dropped. Judgement: a quarter of nightly runs. */
export const MOST_KEPT = 100;
/** Of a file of messages: each has a few KB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Nothing is written through a link, and opening a pipe that nobody reads does not wait. */
const TO_ADD =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** Messages under way, and the files that hold them until they are settled. */
export interface TakenMessages {
  readonly messages: readonly Message[];
  readonly files: readonly string[];
}

/**
 * A file of messages that could not be sent, a line each. Several processes may use it: what one takes is in a file of its own
 * until it is settled, so that a killed process loses nothing. What was sent, and not settled, is sent again with its id.
 */
export class Outbox {
  constructor(readonly file: string) {}

  /** @throws an error of the system if a file can't be read */
  async take(): Promise<TakenMessages> {
    const own = `${this.file}.${randomUUID()}.sending`;
    await rename(this.file, own).catch(nullIfMissing);
    const folder = dirname(this.file);
    const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(this.file)}.`));
    const files = names.filter((name) => name.endsWith('.sending')).map((name) => join(folder, name));
    const texts: string[] = [];
    for (const file of files) texts.push((await readBounded(file, MOST_BYTES).catch(nullIfMissing)) ?? '');
    const messages = texts.flatMap((text) => text.split('\n')).flatMap(messageOf);
    return { messages: messages.toSorted((one, other) => (one.at < other.at ? -1 : 1)), files };
  }

  /** Keeps messages that are about to be sent, as another process would take them. @throws an error of the system */
  async begin(messages: readonly Message[]): Promise<void> {
    const own = `${this.file}.${randomUUID()}.sending`;
    const lines = messages.map((message) => `${JSON.stringify({ ...message, begun: true })}\n`);
    await writeFile(own, lines.join(''), { flag: 'wx', mode: PRIVATE_MODE });
  }

  /** Keeps what was not sent, and forgets the rest of what was taken. @throws an error of the system if it can't be written */
  async settle(files: readonly string[], unsent: readonly Message[]): Promise<void> {
    const lines = unsent.slice(-MOST_KEPT).map((message) => `${JSON.stringify({ ...message, begun: undefined })}\n`);
    if (lines.length > 0) await this.#add(lines.join(''));
    for (const file of files) await rm(file, { force: true });
  }

  async #add(text: string): Promise<void> {
    const handle = await open(this.file, TO_ADD, PRIVATE_MODE);
    try {
      if (!(await handle.stat()).isFile()) throw new FileFault('it is not a file');
      await handle.appendFile(text);
    } finally {
      await handle.close();
    }
  }
}

/** Nothing of a line that was cut off. */
function messageOf(line: string): Message[] {
  try {
    return [messageSchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
