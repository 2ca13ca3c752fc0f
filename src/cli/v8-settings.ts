import { setFlagsFromString } from 'node:v8';

/**
 * V8 optimizes a function once it ran for some time, in another thread. Most runs end before that pays. So it waits
 * longer: a run on 50 collections takes a tenth less time of the processor with Node 20, and a sixth less with Node 22
 * (`npm run bench`). Node 24 first compiles with Maglev, which is quick, and gains nothing. By major version of Node,
 * since V8 prints an error if it does not know a flag.
 */
const FLAGS: Readonly<Record<string, string>> = {
  // Bytes of bytecode that run until V8 looks at a function again: eight times as many.
  20: '--interrupt-budget=540672',
  // Calls: four times as many.
  22: '--invocation-count-for-turbofan=12000',
};

/** The flag that has V8 optimize functions later, if this Node knows one that helps. */
export function optimizingFlag(nodeVersion: string): string | null {
  return FLAGS[nodeVersion.split('.', 1)[0] as string] ?? null;
}

/** Has V8 optimize functions later, in all threads of this process. */
export function optimizeLater(): void {
  const flag = optimizingFlag(process.versions.node);
  if (flag !== null) setFlagsFromString(flag);
}

/** Collections from which a run spares memory. Below, garbage takes less than the rest of the process. */
const MANY_COLLECTIONS = 1_000;

/**
 * Has V8 collect garbage once the heap has grown by as much as is in use, not by three times that, if a run reads many
 * collections. On 10,000 collections, the peak is 450 MB instead of 720, for no more time of the processor than chance
 * explains; on 50, it would take a fifth more.
 */
export function spareMemory(collections: number): void {
  if (collections >= MANY_COLLECTIONS) setFlagsFromString('--heap-growing-percent=100');
}
