import type { Document } from 'mongodb';
import type { Request } from './wire-message.js';

/** Something that goes wrong between the client and the server. */
export interface WireFault {
  /** The commands that it happens to; `$db` is part of a command. */
  readonly on: (command: Document) => boolean;
  /** The first of those that it happens to, counted from 1 over all connections; 1 by default. */
  readonly from?: number;
  /** How many of them it happens to; all that follow by default. */
  readonly times?: number;
  /** Done before the server is asked. */
  readonly before?: (command: Document) => void | Promise<void>;
  /** Done with the server's answer, in place of passing it on. */
  readonly reply?: ReplyTreatment;
}

/** What is done to a reply of the server. If it sends nothing, the client gets none. */
export type ReplyTreatment = (exchange: Exchange) => void | Promise<void>;

/** A command, and what the server answered to it. */
export interface Exchange {
  readonly request: Request;
  /** The whole message, header included. */
  readonly reply: Buffer;
  readonly client: ClientRoad;
}

/** The way back to the client. */
export interface ClientRoad {
  /** How fast the client gets what is sent from now on. */
  bytesPerSecond: number;
  /** Resolves once the client, or anybody else, has closed the connection. */
  readonly closed: Promise<void>;
  /** Sends bytes, as fast as the road allows. */
  send(bytes: Buffer): Promise<void>;
  /** Breaks the connection, after what was sent has left. */
  end(): Promise<void>;
}
