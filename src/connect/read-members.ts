import { setTimeout as delay } from 'node:timers/promises';
import type { Document, MongoClient, ServerDescription, ServerType } from 'mongodb';

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

interface Loss extends MemberLoss {
  /** In ms, as `performance.now()` has it. */
  readonly since: number;
  readonly wasPrimary: boolean;
  /** Then what is read of the primary goes on from the next one, and the rest where it was. */
  readonly steppedDown: boolean;
}

/** What a member said of itself when it was last heard. */
interface Heard {
  /** In ms, as `performance.now()` has it. */
  readonly at: number;
  /** In ms: how old its last write was then, by this machine's clock. */
  readonly writeAge: number;
  /** In ms, the same by its own clock; null if it knows no primary, so that nobody writes. */
  readonly ownWriteAge: number | null;
}

/** Follows which members a client reads, and which of them it loses. */
export class ReadMembers {
  readonly #read = new Set<string>();
  /** Without those that were lost and not read since. */
  readonly #reading = new Set<string>();
  /** In ms, the largest that was measured. */
  readonly #lags = new Map<string, number>();
  readonly #heard = new Map<string, Heard>();
  readonly #losses: Loss[] = [];
  readonly #isDirect: boolean;
  #servers: readonly ServerDescription[] = [];

  /** @param longestSilence after so many ms, the driver takes a member that does not answer for lost */
  constructor(
    client: Pick<MongoClient, 'on' | 'options'>,
    private readonly longestSilence: number,
  ) {
    this.#isDirect = client.options.directConnection;
    client.on('connectionCheckedOut', ({ address }) => this.#reads(address));
    client.on('serverHeartbeatSucceeded', ({ connectionId, reply }) => this.#hears(connectionId, reply));
    client.on('topologyDescriptionChanged', ({ newDescription }) => {
      this.#servers = [...newDescription.servers.values()];
      this.#measureLag();
    });
    client.on(
      'serverDescriptionChanged',
      ({ address, previousDescription: { type: was }, newDescription: { type } }) => {
        if (READABLE.has(was) && type !== was) this.#loses(address, was, type);
        // Steps down after a moment without an answer.
        if (type === 'RSSecondary')
          this.#change(({ member, wasPrimary }) => member === address && wasPrimary, { steppedDown: true });
      },
    );
  }

  /** Null if no member was lost, and none lags behind. */
  get summary(): ReadsSummary | null {
    const losses = this.#losses
      .filter(({ steppedDown, continuedFrom }) => !steppedDown || continuedFrom !== null)
      .map(({ member, at, continuedFrom }) => ({ member, at, continuedFrom }));
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
      const isEachWell = readable.every(({ address }) => (this.#heard.get(address)?.at ?? 0) > asked);
      if (isEachWell || isOver() || performance.now() > asked + this.longestSilence) return false;
      await delay(LOOK_AGAIN);
    }
  }

  #reads(address: string): void {
    this.#read.add(address);
    const type = this.#servers.find((server) => server.address === address)?.type;
    // Reads that had chosen a member before it was lost still ask for its connections.
    if (type === undefined || !READABLE.has(type)) return;
    this.#reading.add(address);
    this.#change(({ member, steppedDown }) => !steppedDown || (type === 'RSPrimary' && address !== member), {
      continuedFrom: address,
    });
  }

  #loses(member: string, was: ServerType, type: ServerType): void {
    const steppedDown = was === 'RSPrimary' && type === 'RSSecondary';
    if ((!steppedDown && READABLE.has(type)) || !this.#reading.delete(member)) return;
    this.#losses.push({
      member,
      at: new Date().toISOString(),
      continuedFrom: null,
      since: performance.now(),
      wasPrimary: was === 'RSPrimary',
      steppedDown,
    });
  }

  /** Changes losses after which nothing was read yet. */
  #change(isMeant: (loss: Loss) => boolean, change: Partial<Loss>): void {
    for (const [index, loss] of this.#losses.entries()) {
      if (loss.continuedFrom === null && isMeant(loss)) this.#losses[index] = { ...loss, ...change };
    }
  }

  #hears(address: string, { lastWrite, localTime, primary }: Document): void {
    const writtenAt = Number(lastWrite?.lastWriteDate);
    this.#heard.set(address, {
      at: performance.now(),
      writeAge: Date.now() - writtenAt,
      ownWriteAge: primary === undefined ? null : Number(localTime) - writtenAt,
    });
    this.#measureLag();
  }

  #measureLag(): void {
    for (const { address } of this.#servers.filter(({ type }) => type === 'RSSecondary')) {
      const lag = this.#lagOf(address);
      if (lag !== null && lag > (this.#lags.get(address) ?? 0)) this.#lags.set(address, lag);
    }
  }

  /**
   * In ms; null if it can't be known. As the driver does for `maxStalenessSeconds`: by what each had written when it was last
   * heard. A direct connection hears of one member alone.
   */
  #lagOf(address: string): number | null {
    const heard = this.#heard.get(address);
    if (heard === undefined) return null;
    if (this.#isDirect) return heard.ownWriteAge;
    const primary = this.#servers.find(({ type }) => type === 'RSPrimary');
    const ahead = primary && this.#heard.get(primary.address);
    return ahead === undefined ? null : heard.writeAge - ahead.writeAge;
  }
}
