import { setFlagsFromString } from 'node:v8';

// Most runs end before optimized functions pay. V8 prints an error if it does not know a flag. By the major version of Node:
// eight times as much bytecode, four and 25 times as many calls, until a function is looked at again. On 22 alone, it pays to
// let the space of new objects grow sooner.
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  20: ['--interrupt-budget=540672'],
  22: ['--invocation-count-for-turbofan=12000', '--semi-space-growth-factor=4'],
  24: ['--invocation-count-for-maglev=10000'],
};

/** The flags that spare a short run time, of those that this Node knows. */
export function flagsOfShortRuns(nodeVersion: string): readonly string[] {
  return FLAGS[nodeVersion.split('.', 1)[0] as string] ?? [];
}

/** Has V8 optimize functions later, in all threads, and keep what it compiled, for the next run: else what ran early is dropped. */
export function spareCompiling(): void {
  for (const flag of [...flagsOfShortRuns(process.versions.node), '--no-flush-bytecode']) setFlagsFromString(flag);
}

/** How much the heap may grow, in per cent of what is in use, until V8 collects garbage, from so many collections on. */
const HEAP_GROWTH: readonly (readonly [collections: number, percent: number])[] = [
  [2_500, 20],
  [1_000, 100],
];

/** Has V8 collect garbage sooner if collections are many. On 50, it would take a fifth longer. */
export function spareMemory(collections: number): void {
  const [, percent] = HEAP_GROWTH.find(([least]) => collections >= least) ?? [];
  if (percent !== undefined) setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** As it was at the start: V8 takes compiled code only under the settings under which it was kept. */
export function spareMemoryNoLonger(): void {
  setFlagsFromString('--heap-growing-percent=0');
}
