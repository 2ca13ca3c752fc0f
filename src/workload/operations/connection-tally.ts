import { z } from 'zod';
import { ofKind } from '../../names.js';
import { figureSchema, type Plain } from '../../plain.js';
import { MS_PER_MINUTE } from '../../time-units.js';
import { BoundedMap } from './bounded-map.js';

/** A connection that ended sooner served one request or one job. In ms. */
const BRIEF_MS = MS_PER_MINUTE;
/** Clients kept of all logs; entries of further ones are counted. */
export const MOST_CLIENTS = 200;
const MOST_HOSTS = 1_000;
const MOST_ADDRESSES = 5;

/** What one log has of the connections of an application: of all of its processes with one driver. */
export const clientConnectionsSchema = z.strictObject({
  appName: z.string().nullable(),
  driver: z.string().nullable(),
  source: z.enum(['logFile', 'recentLog']),
  /** The member whose recent log it is; absent for log files, which are one after the other. */
  member: ofKind('member').exactOptional(),
  opened: figureSchema,
  /** Those that ended within a minute. */
  brief: figureSchema,
  ended: figureSchema,
  /** Distinct addresses they came from, up to 1,000. */
  hosts: figureSchema,
  /** Some of them; absent unless values are to be shown. */
  addresses: z.array(z.string()).exactOptional(),
});

export type ClientConnections = Plain<typeof clientConnectionsSchema>;

/** What a client says of itself when it connects. */
export interface ConnectedClient {
  readonly appName: string | null;
  readonly driver: string | null;
}

/** Where a log's connections are counted. */
export interface CountsConnections {
  opened(client: ConnectedClient, at: number, address: string | null): void;
  ended(client: ConnectedClient, openedAt: number, at: number): void;
}

type Of = Pick<ClientConnections, 'appName' | 'driver' | 'source' | 'member'>;

interface Counted {
  readonly of: Of;
  opened: number;
  brief: number;
  ended: number;
  readonly hosts: Set<string>;
}

/** The connections of applications, by logs. */
export class ConnectionTally {
  readonly #byKey = new BoundedMap<Counted>(MOST_CLIENTS);

  /**
   * @param since those opened before are left out, in ms since 1970; null for none
   * @param showValues whether addresses are kept
   */
  constructor(
    private readonly since: number | null = null,
    private readonly showValues = false,
  ) {}

  /** @param place the log: of a member, or one of the given files */
  of(place: Pick<ClientConnections, 'source' | 'member'>): CountsConnections {
    // A client is one object for all of its connections.
    const known = new WeakMap<ConnectedClient, Counted>();
    const countedOf = (client: ConnectedClient, openedAt: number): Counted | null => {
      if (this.since !== null && openedAt < this.since) return null;
      const counted = known.get(client) ?? this.#counted({ ...client, ...place });
      if (counted !== null) known.set(client, counted);
      return counted;
    };
    return {
      opened(client, at, address) {
        const counted = countedOf(client, at);
        if (counted === null) return;
        counted.opened += 1;
        if (address !== null && counted.hosts.size < MOST_HOSTS) counted.hosts.add(address);
      },
      ended(client, openedAt, at) {
        const counted = countedOf(client, openedAt);
        if (counted === null) return;
        counted.ended += 1;
        if (at - openedAt < BRIEF_MS) counted.brief += 1;
      },
    };
  }

  summary(): ClientConnections[] {
    return this.#byKey.values().map(({ of, hosts, ...counts }) => ({
      ...of,
      ...counts,
      hosts: hosts.size,
      ...(this.showValues && { addresses: [...hosts].slice(0, MOST_ADDRESSES) }),
    }));
  }

  get leftOut(): number {
    return this.#byKey.leftOut;
  }

  /** One for what several files have of a client. Null beyond as many clients as are kept. */
  #counted(of: Of): Counted | null {
    const key = JSON.stringify([of.appName, of.driver, of.source, of.member]);
    return this.#byKey.at(key, () => ({ of, opened: 0, brief: 0, ended: 0, hosts: new Set<string>() }));
  }
}
