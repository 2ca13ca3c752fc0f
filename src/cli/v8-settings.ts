import { setFlagsFromString } from 'node:v8';

// Most runs end before optimized functions pay. V8 prints an error if it does not know a flag.
const FLAGS: Readonly<Record<string, string>> = {
  // Bytes of bytecode that run before V8 looks at a function again: eight times as many.
  20: '--interrupt-budget=540672',
  // Calls: four times as many.
  22: '--invocation-count-for-turbofan=12000',
  // Calls: 25 times as many, until its quick compiler compiles a function.
  24: '--invocation-count-for-maglev=10000',
};

/** The flag that has V8 optimize functions later, if this Node knows one that helps. */
export function optimizingFlag(nodeVersion: string): string | null {
  return FLAGS[nodeVersion.split('.', 1)[0] as string] ?? null;
}

/** Has V8 optimize functions later, in all threads of this process, and keep what it compiled: see {@link CompiledScript}. */
export function spareCompiling(): void {
  const flag = optimizingFlag(process.versions.node);
  if (flag !== null) setFlagsFromString(flag);
  // Else what ran early, the whole of the script first, is not among what the next run is given.
  setFlagsFromString('--no-flush-bytecode');
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
