import { z } from 'zod';
import type { Plain } from '../../plain.js';
import type { Accumulator } from './accumulator.js';

/** Who ran an operation, as far as the entry tells. */
export interface Client {
  readonly appName: string | null;
  /** With the database that knows it: `shop@admin`. */
  readonly user: string | null;
  /** Name and version: "nodejs 7.5.0". The profiler does not record it (measured on 6.0.5). */
  readonly driver: string | null;
  /** Network address; read only if values are to be shown. */
  readonly address?: string;
}

export const clientExecutionsSchema = z.strictObject({
  appName: z.string().nullable(),
  user: z.string().nullable(),
  driver: z.string().nullable(),
  executions: z.number(),
  addresses: z.array(z.string()).exactOptional(),
});

export type ClientExecutions = Plain<typeof clientExecutionsSchema>;

/** Clients kept per shape. Beyond, executions are counted and nobody is named. */
const MOST_CLIENTS = 20;
const MOST_ADDRESSES = 5;

interface Counted {
  readonly client: Client;
  executions: number;
  readonly addresses: Set<string>;
}

export class ClientTally implements Accumulator<Client, readonly ClientExecutions[]> {
  readonly #byKey = new Map<string, Counted>();

  add(client: Client): void {
    this.count(client, 1);
  }

  count(client: Client, executions: number): void {
    const { appName, user, driver, address } = client;
    const key = `${appName}\0${user}\0${driver}`;
    const known = this.#byKey.get(key);
    if (known === undefined && this.#byKey.size >= MOST_CLIENTS) return;
    const counted = known ?? { client, executions: 0, addresses: new Set<string>() };
    if (known === undefined) this.#byKey.set(key, counted);
    counted.executions += executions;
    if (address !== undefined && counted.addresses.size < MOST_ADDRESSES) counted.addresses.add(address);
  }

  /** Undefined if nothing is known of any. */
  figure(): readonly ClientExecutions[] | undefined {
    const all = [...this.#byKey.values()].map(({ client: { appName, user, driver }, executions, addresses }) => ({
      appName,
      user,
      driver,
      executions,
      ...(addresses.size > 0 && { addresses: [...addresses] }),
    }));
    return all.every(({ appName, user, driver }) => (appName ?? user ?? driver) === null) ? undefined : all;
  }
}

export function addedClients(
  one: readonly ClientExecutions[] = [],
  other: readonly ClientExecutions[] = [],
): readonly ClientExecutions[] | undefined {
  const tally = new ClientTally();
  for (const { executions, addresses: _addresses, ...client } of [...one, ...other]) tally.count(client, executions);
  return tally.figure();
}

export function clientOf({ appName, user, driver, address }: Record<keyof Client, unknown>): Client {
  const known = { appName: textOf(appName), user: textOf(user), driver: textOf(driver) };
  const place = textOf(address);
  return place === null ? known : { ...known, address: place.replace(/:\d+$/, '') };
}

/** "nodejs 7.5.0" of what a driver says of itself; null if it says nothing. */
export function driverText(driver: unknown): string | null {
  const { name, version } = (driver ?? {}) as { readonly name?: unknown; readonly version?: unknown };
  const [first, second] = [textOf(name), textOf(version)];
  return first === null ? null : second === null ? first : `${first} ${second}`;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
