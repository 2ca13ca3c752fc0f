/**
 * Published packages and two services of our own, driven on a real server. The profiler's entries carry the calling lines from the stack, which mongolint
 * is not shown: by the shapes alone it has to find them in the source. No line that it claims may be another.
 */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placesOf } from '../../../src/code/explains.js';
import { distinctLines, lineText } from '../../../src/code/source-line.js';
import { MOST_NAMED } from '../../../src/findings/locations.js';
import { startReplicaSet } from '../../support/servers.js';
import { PACKAGES } from './cases.js';
import { driven, drivenService } from './driven-package.js';
import { SERVICES } from './services.js';

type Outcome = 'line' | 'wrong line' | 'set' | 'wrong set' | 'count' | 'none';
type Driven = Awaited<ReturnType<typeof driven>>;
const OUTCOMES: readonly Outcome[] = ['line', 'wrong line', 'set', 'wrong set', 'count', 'none'];

/** How what the source shows compares to the stacks of one shape. Null if others than the package sent it. */
function outcomeOf({ code }: Driven, { shape, sentFrom = [] }: Driven['operations'][number]) {
  const stacks = sentFrom.map((stack) => stack?.split(',') ?? []);
  if (stacks.length === 0 || stacks.some(([nearest]) => nearest === undefined)) return null;
  const places = placesOf(shape, code.places);
  const lines = distinctLines(places);
  const isRight = stacks.every((stack) =>
    places.some((place) =>
      place.through === undefined
        ? lineText(place) === stack[0]
        : lineText(place.through) === stack[0] && stack.includes(lineText(place)),
    ),
  );
  const outcome: Outcome =
    lines.length === 0
      ? 'none'
      : lines.length > MOST_NAMED
        ? 'count'
        : lines.length > 1 || places.every(({ unlisted }) => unlisted === 'doubtful')
          ? isRight
            ? 'set'
            : 'wrong set'
          : isRight
            ? 'line'
            : 'wrong line';
  return { outcome, shape, truth: sentFrom, claimed: lines.map(lineText), isRight };
}

const counted = (outcomes: readonly Outcome[]) =>
  [outcomes.length, ...OUTCOMES.map((each) => outcomes.filter((outcome) => outcome === each).length)].join(' | ');

describe('the lines of published packages', () => {
  const all: (readonly [string, Outcome])[] = [];
  let server: Awaited<ReturnType<typeof startReplicaSet>>;
  let client: MongoClient;
  beforeAll(async () => {
    server = await startReplicaSet();
    client = new MongoClient(server.uri);
  });
  afterAll(async () => {
    const rows = [...PACKAGES, ...SERVICES].map(({ name }) => {
      const own = all.filter(([of]) => of === name).map(([, outcome]) => outcome);
      return `| ${name} | ${counted(own)} |`;
    });
    process.stdout.write(
      [
        `\n| package | shapes | ${OUTCOMES.join(' | ')} |`,
        `| --- |${' --- |'.repeat(OUTCOMES.length + 1)}`,
        ...rows,
        `| all | ${counted(all.map(([, outcome]) => outcome))} |\n`,
      ].join('\n'),
    );
    await client?.close();
    await server?.stop();
  });

  const outcomesOf = (name: string, found: Driven) => {
    const outcomes = found.operations.flatMap((operation) => outcomeOf(found, operation) ?? []);
    all.push(...outcomes.map(({ outcome }) => [name, outcome] as const));
    if (process.env['MONGOLINT_SHOW'] !== undefined)
      process.stdout.write(
        [
          found.output,
          ...outcomes.map(({ outcome, shape, truth, claimed }) =>
            JSON.stringify({
              outcome,
              shape: { ...shape, projection: undefined },
              truth,
              claimed: claimed.slice(0, 6),
            }),
          ),
          '',
        ].join('\n'),
      );
    return outcomes;
  };

  const uriOf = (name: string) => {
    const uri = new URL(server.uri);
    uri.pathname = `/${name}`;
    return uri.href;
  };

  it.each(PACKAGES.map((of) => [of.name, of] as const))('%s: none is wrong', async (name, of) => {
    const found = await driven(of, client.db(name), uriOf(name));
    const outcomes = outcomesOf(name, found);
    expect([found.code.files > 0, found.code.generated > 0]).toEqual(
      of.isBundle === true ? [false, true] : [true, false],
    );
    expect(outcomes.length).toBeGreaterThan(0);
    expect(outcomes.filter(({ outcome }) => outcome.startsWith('wrong'))).toEqual([]);
  });

  it.each(SERVICES.map((of) => [of.name, of] as const))(
    '%s: every certain line is right, and every sender is among the alternatives',
    async (name, of) => {
      const outcomes = outcomesOf(name, await drivenService(of, client.db(name), uriOf(name)));
      expect(outcomes.filter(({ isRight }) => !isRight)).toEqual([]);
      expect(outcomes.filter(({ outcome }) => outcome === 'line')).toHaveLength(of.certain);
    },
  );
});
