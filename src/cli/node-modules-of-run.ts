/** Node's own modules that a run loads at once. A test holds them against the bundle. */
export const NODE_MODULES_OF_RUN: readonly string[] = [
  'node:buffer',
  'node:child_process',
  'node:crypto',
  'node:dns',
  'node:events',
  'node:fs/promises',
  'node:http',
  'node:net',
  'node:perf_hooks',
  'node:process',
  'node:stream',
  'node:stream/promises',
  'node:timers',
  'node:timers/promises',
  'node:tls',
  'node:util',
];
