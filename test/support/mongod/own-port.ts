/**
 * Below the ports that systems give to connections and to servers that ask for any port (from 32,768 on with Linux, from
 * 49,152 on with others). Such a port may be given away between the moment it is found free and the start of a mongod.
 */
const FIRST_PORT = 10_000;
const PORTS_PER_PROCESS = 20;
/** Processes with as many ids in between share ports. */
const PROCESSES = 1_000;

let given = 0;

/** A port that no other process picks at the same time, each time another one. It may not be free. */
export function ownPort(): number {
  const port = FIRST_PORT + (process.pid % PROCESSES) * PORTS_PER_PROCESS + (given % PORTS_PER_PROCESS);
  given += 1;
  return port;
}
