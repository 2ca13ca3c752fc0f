import { MongoClient, type Db } from 'mongodb';
import { recordOperations } from '../src/demo/recorded-operations.js';
import { Planting } from '../test/designs/planting.js';
import { startReplicaSet } from '../test/support/servers.js';
import type { Ground, LabelledCase } from './labelled-cases.js';
import type { OtherFinding, OtherProgram } from './other-programs.js';

/** How one program reports the cases of a theme. */
export interface Comparison {
  readonly theme: string;
  readonly program: string;
  readonly faults: number;
  /** At whatever level. */
  readonly named: number;
  readonly sound: number;
  /** The sound designs with a finding above the lowest levels, and those with any. */
  readonly loud: number;
  readonly told: number;
}

/** Plants every case on one server after the other, and has the programs look at it. */
export async function compared(
  grounds: readonly Ground[],
  programs: ReadonlyMap<OtherProgram, string>,
): Promise<Comparison[]> {
  // Finds the mongod to start: without a comparison, none is needed.
  await import('../test/support/mongod/system-binary.js');
  const server = await startReplicaSet();
  const client = new MongoClient(server.uri);
  const comparisons: Comparison[] = [];
  try {
    for (const { theme, cases } of grounds) {
      const reports = new Map<OtherProgram, (readonly OtherFinding[])[]>(
        [...programs.keys()].map((each) => [each, []]),
      );
      for (const each of cases) {
        const source = await planted(client.db(each.name), each);
        for (const [program, path] of programs)
          reports.get(program)?.push(await program.findingsOf(path, { uri: server.uri, name: each.name, source }));
        await client.db(each.name).dropDatabase();
      }
      comparisons.push(ofMongolint(theme, cases));
      for (const [{ name }, found] of reports) comparisons.push(ofProgram(theme, name, cases, found));
    }
  } finally {
    await client.close();
    await server.stop();
  }
  return comparisons;
}

/** Plants and uses a database. Gives the source of what used it, with the collections that it does not name. */
async function planted(database: Db, { name, plant, use }: LabelledCase): Promise<string> {
  const planting = new Planting(database, name);
  await plant(planting);
  if (use !== undefined) await recordOperations(database, () => use(database, planting));
  const source = use?.toString() ?? '';
  const collections = await database.listCollections({}, { nameOnly: true }).toArray();
  const others = collections.filter((each) => !each.name.startsWith('system.') && !source.includes(`'${each.name}'`));
  return [...others.map((each) => `database.collection("${each.name}");`), source, ''].join('\n');
}

function ofMongolint(theme: string, cases: readonly LabelledCase[]): Comparison {
  const sound = cases.filter(({ faults }) => faults.length === 0);
  const outcomes = cases.flatMap(({ faults }) => faults.map(({ outcome }) => outcome));
  return {
    theme,
    program: 'mongolint',
    faults: outcomes.length,
    named: outcomes.filter((outcome) => outcome !== 'missed').length,
    sound: sound.length,
    loud: sound.filter(({ findings }) => findings.some(({ severity }) => severity !== 'info')).length,
    told: sound.filter(({ findings }) => findings.length > 0).length,
  };
}

function ofProgram(
  theme: string,
  program: string,
  cases: readonly LabelledCase[],
  found: readonly (readonly OtherFinding[])[],
): Comparison {
  const named = cases.flatMap(({ faults }, index) => faults.filter((fault) => found[index]?.some(fault.isNamedBy)));
  const sound = found.filter((_, index) => cases[index]?.faults.length === 0);
  return {
    theme,
    program,
    faults: cases.flatMap(({ faults }) => faults).length,
    named: named.length,
    sound: sound.length,
    loud: sound.filter((findings) => findings.some(({ noise }) => noise === 'loud')).length,
    told: sound.filter((findings) => findings.some(({ noise }) => noise !== 'none')).length,
  };
}
