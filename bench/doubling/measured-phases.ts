import { linearRegression, median } from 'simple-statistics';

/** The phases of a run at one size, in their order, each of which may use what those before it came to. */
export type Phases = Readonly<Record<string, () => unknown>>;

/** Something that there can be much of, and what a run does with it. */
export interface Dimension {
  readonly name: string;
  /** Each twice the one before. */
  readonly sizes: readonly number[];
  /** What the phases work on, made beforehand. */
  begin(size: number): Phases | Promise<Phases>;
  /** Called after all sizes. */
  end?(): Promise<void>;
}

/** A phase at all sizes. */
export interface MeasuredPhase {
  readonly name: string;
  /** Median time of the processor (user and system, with the collection of garbage), in ms, by size. */
  readonly milliseconds: readonly number[];
  /** Slope of log(time) over log(size), by least squares: 1 is linear, 2 quadratic. */
  readonly exponent: number;
  /** The same from the last size but one to the last. */
  readonly lastExponent: number;
}

const ROUNDS = 5;
/** In ms. What takes less is done again and again for so long: less can't be told from chance. */
const LEAST_TIME = 200;
const MICROSECONDS_PER_MS = 1_000;

/** Times the phases of a dimension at each size, after one round at the smallest to warm up. */
export async function measurePhases({ sizes, begin, end }: Dimension): Promise<MeasuredPhase[]> {
  const bySize: Map<string, number>[] = [];
  await timesOf(await begin(sizes[0] as number));
  for (const size of sizes) bySize.push(await timesOf(await begin(size)));
  await end?.();
  return [...(bySize[0] ?? new Map<string, number>()).keys()].map((name) => {
    const milliseconds = bySize.map((times) => times.get(name) ?? Number.NaN);
    return {
      name,
      milliseconds,
      exponent: slopeOf(sizes, milliseconds),
      lastExponent: slopeOf(sizes.slice(-2), milliseconds.slice(-2)),
    };
  });
}

async function timesOf(phases: Phases): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const [name, work] of Object.entries(phases)) {
    globalThis.gc?.();
    // The first times after that take longer, whatever the size: V8 has given memory back, and forgotten code.
    await processorTime(work);
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await processorTime(work));
    times.set(name, median(rounds));
  }
  return times;
}

async function processorTime(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  let [times, spent] = [0, 0];
  while (spent < LEAST_TIME) {
    await work();
    times += 1;
    const { user, system } = process.cpuUsage(start);
    spent = (user + system) / MICROSECONDS_PER_MS;
  }
  return spent / times;
}

function slopeOf(sizes: readonly number[], milliseconds: readonly number[]): number {
  return linearRegression(sizes.map((size, index) => [Math.log(size), Math.log(milliseconds[index] ?? Number.NaN)])).m;
}
