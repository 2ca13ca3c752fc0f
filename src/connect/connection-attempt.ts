import type { MongoClient, ServerDescription } from 'mongodb';
import type { ConnectionString } from 'mongodb-connection-string-url';
import { connectionFault, unanswered, type ConnectionFault } from './connection-fault.js';
import { hasShownHosts } from './shown-uri.js';

/** Waiting for a server can't help any more. */
export class HopelessConnectionError extends Error {
  override readonly name = 'HopelessConnectionError';
}

interface Failing {
  readonly fault: ConnectionFault;
  /** In a row. */
  readonly times: number;
}

/** What became of each host while a client connects. */
export class ConnectionAttempt {
  readonly #failing = new Map<string, Failing>();
  readonly #answering = new Set<string>();
  #servers: readonly ServerDescription[] = [];
  /** Rejects once every host has failed for good; never resolves. */
  readonly hopeless: Promise<never>;

  constructor(
    private readonly client: MongoClient,
    private readonly uri: ConnectionString,
  ) {
    client.on(
      'topologyDescriptionChanged',
      ({ newDescription }) => (this.#servers = [...newDescription.servers.values()]),
    );
    client.on('serverHeartbeatSucceeded', ({ connectionId, reply }) => this.#answered(connectionId, reply));
    this.hopeless = new Promise((_, reject) => {
      const giveUpIfHopeless = () => this.#isHopeless() && reject(new HopelessConnectionError());
      client.on('serverHeartbeatSucceeded', giveUpIfHopeless);
      client.on('serverHeartbeatFailed', ({ connectionId, failure }) => {
        this.#answering.delete(connectionId);
        this.#fail(connectionId, connectionFault(failure, this.#shown(connectionId), uri));
        giveUpIfHopeless();
      });
    });
    // Whoever waits for it hears of it.
    this.hopeless.catch(() => {});
  }

  /** The members that the driver knows now. */
  get servers(): readonly ServerDescription[] {
    return this.#servers;
  }

  /** What is wrong, in a sentence without its full stop; null if each host that answered is well. */
  get fault(): string | null {
    const failing = [...this.#failing.values()];
    const [{ fault } = { fault: null }] = failing.toSorted((a, b) => a.fault.finalAfter - b.fault.finalAfter);
    if (fault === null)
      return this.#answering.size > 0 ? null : unanswered(this.#shown(this.client.options.hosts.join()));
    const [seed] = this.#answering;
    // The driver goes by the names that the set's members have in its configuration.
    return seed === undefined || this.client.options.directConnection
      ? fault.text
      : `${this.#shown(seed)} answers, but not the members that its replica set lists: ${fault.text}; or add directConnection=true to read from ${this.#shown(seed)} alone`;
  }

  #answered(host: string, { setName }: { readonly setName?: unknown }): void {
    const wanted = this.client.options.replicaSet;
    if (typeof wanted !== 'string' || wanted === setName) {
      this.#failing.delete(host);
      this.#answering.add(host);
      return;
    }
    const is = typeof setName === 'string' ? `a member of the replica set "${setName}"` : 'no member of a replica set';
    const advice = typeof setName === 'string' ? `set replicaSet=${setName}` : 'remove replicaSet';
    this.#fail(host, { text: `${this.#shown(host)} is ${is}: ${advice}`, finalAfter: 1 });
  }

  #fail(host: string, fault: ConnectionFault): void {
    const before = this.#failing.get(host);
    this.#failing.set(host, { fault, times: before?.fault.text === fault.text ? before.times + 1 : 1 });
  }

  #isHopeless(): boolean {
    const known = this.#servers.map(({ address }) => address);
    const hosts = known.length > 0 ? known : this.client.options.hosts.map(String);
    return hosts.every((host) => {
      const failing = this.#failing.get(host);
      return failing !== undefined && failing.times >= failing.fault.finalAfter;
    });
  }

  #shown(host: string): string {
    if (host.endsWith('.sock')) return 'the socket';
    return hasShownHosts(this.uri.href) ? host : 'the server';
  }
}
