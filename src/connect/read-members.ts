import { setTimeout as delay } from 'node:timers/promises';
import type { MongoClient, ServerDescription, ServerType } from 'mongodb';

/** That a member which was read was lost, and where the run went on. */
export interface MemberLoss {
  /** "db2:27018" */
  readonly member: string;
  /** In ISO 8601. */
  readonly at: string;
  /** Null if nothing was read after it. */
  readonly continuedFrom: string | null;
}

/** How far a member that was read is behind the primary. */
export interface MemberLag {
  readonly member: string;
  readonly seconds: number;
}

/** Which members a run read, as far as it is worth telling. */
export interface ReadsSummary {
  readonly losses: readonly MemberLoss[];
  readonly lags: readonly MemberLag[];
}

const READABLE: ReadonlySet<ServerType> = new Set<ServerType>(['RSPrimary', 'RSSecondary', 'Mongos']);
/** An idle primary writes every 10 s, and members hear of each other every few seconds: below that, a lag says nothing. */
const LEAST_LAG_SECONDS = 20;
/** In ms, between two looks at whether a member that did not answer was found to be lost. */
const LOOK_AGAIN = 100;

/** Follows which members a client reads, and which of them it loses. */
export class ReadMembers {
  readonly #read = new Set<string>();
  readonly #lags = new Map<string, number>();
  readonly #heardOf = new Map<string, number>();
  readonly #losses: (MemberLoss & { readonly since: number })[] = [];
  #servers: readonly ServerDescription[] = [];

  /** @param longestSilence after so many ms, the driver takes a member that does not answer for lost */
  constructor(
    client: MongoClient,
    private readonly longestSilence: number,
  ) {
    client.on('connectionCheckedOut', ({ address }) => this.#reads(address));
    client.on('serverHeartbeatSucceeded', ({ connectionId }) => this.#heardOf.set(connectionId, performance.now()));
    client.on('topologyDescriptionChanged', ({ newDescription }) => {
      this.#servers = [...newDescription.servers.values()];
      this.#measureLag();
    });
    client.on('serverDescriptionChanged', ({ address, previousDescription, newDescription }) => {
      const isLost = READABLE.has(previousDescription.type) && !READABLE.has(newDescription.type);
      if (isLost && this.#read.has(address)) {
        this.#losses.push({
          member: address,
          at: new Date().toISOString(),
          continuedFrom: null,
          since: performance.now(),
        });
      }
    });
  }

  /** Null if no member was lost, and none lags behind. */
  get summary(): ReadsSummary | null {
    const losses = this.#losses.map(({ member, at, continuedFrom }) => ({ member, at, continuedFrom }));
    const lags = [...this.#lags]
      .map(([member, milliseconds]) => ({ member, seconds: Math.round(milliseconds / 1_000) }))
      .filter(({ member, seconds }) => this.#read.has(member) && seconds >= LEAST_LAG_SECONDS);
    return losses.length + lags.length === 0 ? null : { losses, lags };
  }

  /**
   * Whether a member was lost since a moment, if another is left. Waits until the driver has heard of each member again,
   * or has given it up.
   *
   * @param since of `performance.now()`
   */
  async wasLost(since: number, isOver: () => boolean): Promise<boolean> {
    const asked = performance.now();
    for (;;) {
      const readable = this.#servers.filter(({ type }) => READABLE.has(type));
      if (readable.length === 0) return false;
      if (this.#losses.some((loss) => loss.since >= since)) return true;
      const isEachWell = readable.every(({ address }) => (this.#heardOf.get(address) ?? 0) > asked);
      if (isEachWell || isOver() || performance.now() > asked + this.longestSilence) return false;
      await delay(LOOK_AGAIN);
    }
  }

  #reads(address: string): void {
    this.#read.add(address);
    // Reads that had chosen a member before it was lost still ask for its connections.
    if (!this.#servers.some((server) => server.address === address && READABLE.has(server.type))) return;
    for (const [index, loss] of this.#losses.entries()) {
      if (loss.continuedFrom === null) this.#losses[index] = { ...loss, continuedFrom: address };
    }
  }

  /** As the driver does for `maxStalenessSeconds`: what each had written when it was last heard. */
  #measureLag(): void {
    const primary = this.#servers.find(({ type }) => type === 'RSPrimary');
    if (primary === undefined) return;
    for (const server of this.#servers.filter(({ type }) => type === 'RSSecondary')) {
      const lag = behind(server) - behind(primary);
      this.#lags.set(server.address, Math.max(lag, this.#lags.get(server.address) ?? 0));
    }
  }
}

function behind({ lastUpdateTime, lastWriteDate }: ServerDescription): number {
  return lastUpdateTime - Number(lastWriteDate);
}
