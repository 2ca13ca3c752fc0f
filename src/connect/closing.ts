import type { MongoClient } from 'mongodb';

const LONGEST_CLOSING = 1_000;

interface Topology {
  close?(): void;
  closeCheckedOutConnections?(): void;
}

/** Closes a client within 1 s: what is still open then is cut off. Never throws. */
export async function closeClient(client: MongoClient): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_CLOSING);
  });
  // Only this part of the driver can cut off what is open.
  const { topology } = client as { topology?: Topology };
  await Promise.race([client.close().catch(() => {}), timeIsUp]);
  clearTimeout(timer);
  topology?.closeCheckedOutConnections?.();
  topology?.close?.();
}
