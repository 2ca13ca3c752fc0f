import type { Collection, MongoServerError } from 'mongodb';
import { FileFault } from '../files/file-fault.js';
import { hashOf, storedLine, type StoredLine } from './stored-line.js';
import { messageIn, MOST_KEPT, type Message, type UnsentMessages } from './unsent-messages.js';

const DUPLICATE_KEY = 11000;
/** The length of a message's id, in hexadecimal digits. */
const ID_LENGTH = 32;

/** Keeps messages as documents of a state. Of runs that begin at once and have the same news, the first one keeps and sends it. */
export class UnsentInState implements UnsentMessages {
  /** What the last run left: the same for runs that begin at once. */
  readonly #since: string;

  /**
   * @param of which targets the run is about
   * @param stored what was there when it began
   * @param reason why the server could not be asked, in half a sentence
   */
  constructor(
    private readonly collection: Collection<StoredLine>,
    private readonly of: string,
    private readonly stored: readonly StoredLine[],
    private readonly reason: (error: unknown) => string,
  ) {
    this.#since = stored.find(({ kind }) => kind === 'run')?.line ?? '';
  }

  async waiting(): Promise<readonly Message[]> {
    const unsent = this.stored.filter(({ kind }) => kind === 'unsent').flatMap(({ line }) => messageIn(line) ?? []);
    return unsent.toSorted((one, other) => (one.at < other.at ? -1 : 1)).slice(-MOST_KEPT);
  }

  async keep(news: readonly Omit<Message, 'id'>[]): Promise<readonly Message[]> {
    const kept: Message[] = [];
    for (const message of news) {
      const id = hashOf(['news', this.of, this.#since, message.owner ?? null, message.text]).slice(0, ID_LENGTH);
      const own = { ...message, id };
      if (await this.#insert(storedLine(documentOf(id), 'unsent', this.of, JSON.stringify(own)))) kept.push(own);
    }
    return kept;
  }

  async settle({ id }: Message): Promise<void> {
    const line = storedLine(documentOf(id), 'sent', this.of, '');
    await this.#attempt(() => this.collection.replaceOne({ _id: line._id }, line, { upsert: true }));
  }

  /** False if it is there already. */
  #insert(line: StoredLine): Promise<boolean> {
    return this.#attempt(() =>
      this.collection.insertOne(line).then(
        () => true,
        (error: unknown) => {
          if ((error as MongoServerError).code === DUPLICATE_KEY) return false;
          throw error;
        },
      ),
    );
  }

  async #attempt<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action();
    } catch (error) {
      throw new FileFault(this.reason(error));
    }
  }
}

function documentOf(id: string): string {
  return hashOf(['message', id]);
}
