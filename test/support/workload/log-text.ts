import type { Document } from 'mongodb';

/** What 6.0 tells of a `find`, besides the command. */
const ATTRIBUTES = {
  type: 'command',
  ns: 'shop.orders',
  appName: 'shop',
  planSummary: 'COLLSCAN',
  keysExamined: 0,
  cursorExhausted: true,
  numYields: 2,
  nreturned: 5,
  queryHash: '25E18860',
  planCacheKey: '25E18860',
  queryFramework: 'classic',
  reslen: 186,
  locks: {
    FeatureCompatibilityVersion: { acquireCount: { r: 55 } },
    Global: { acquireCount: { r: 55 } },
    Mutex: { acquireCount: { r: 3 } },
  },
  readConcern: { level: 'local', provenance: 'implicitDefault' },
  storage: {},
  remote: '127.0.0.1:38210',
  protocol: 'op_msg',
};

/** A line of mongod's log about a slow operation on `shop.orders`, as 6.0 writes it. */
export function slowLine(command: Document, attributes: Document = {}, at = '2026-11-21T03:28:55.116+00:00'): string {
  const attr = { ...ATTRIBUTES, command, durationMillis: 120, ...attributes };
  return line(51803, 'Slow query', attr, at);
}

/**
 * A line of mongos. Stood in: no mongos can be had here. The fields are those that `OpDebug::report` of the public sources
 * writes on a router: the shards, neither a plan nor what was examined, and no locks.
 */
export function routerLine(
  command: Document,
  shards: number,
  attributes: Document = {},
  at = '2026-11-21T03:28:55.118+00:00',
): string {
  const attr = {
    type: 'command',
    ns: 'shop.orders',
    appName: 'shop',
    command,
    nShards: shards,
    cursorExhausted: true,
    numYields: 0,
    nreturned: 5,
    reslen: 420,
    remote: '127.0.0.1:38230',
    protocol: 'op_msg',
    remoteOpWaitMillis: 121,
    durationMillis: 122,
    ...attributes,
  };
  return line(51803, 'Slow query', attr, at);
}

/** A line about something else. */
export function otherLine(at = '2026-11-21T03:28:55.116+00:00'): string {
  return line(22943, 'Connection accepted', { remote: '127.0.0.1:38210', connectionId: 2 }, at);
}

function line(id: number, message: string, attr: Document, at: string): string {
  const [time, text, details] = [at, message, attr].map((part) => JSON.stringify(part));
  return `{"t":{"$date":${time}},"s":"I",  "c":"COMMAND",  "id":${id},   "ctx":"conn2","msg":${text},"attr":${details}}`;
}
