import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Decimal128, Double, Long } from 'mongodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectFaultHandled } from '../support/faults/expect-fault-handled.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { runLinter, type Limits } from '../support/faults/linter-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { PHASES } from '../support/wire/phases.js';
import { rewritten } from '../support/wire/reply-treatments.js';
import type { WireFault } from '../support/wire/wire-fault.js';
import { WireProxy } from '../support/wire/wire-proxy.js';
import { slowLine } from '../support/workload/log-text.js';

const faulty = useFaultyShop();

/** In ms. Twelve runs at once in one process took longer than 20 s for a command on a machine of load 28. */
const NOTHING_WAITS: Limits = { maxTime: 900_000, timeout: 300_000 };

const FIGURES = ['count', 'size', 'storageSize', 'totalIndexSize', 'freeStorageSize'];
const ODD = {
  negative: new Double(-1),
  fractional: new Double(10.5),
  inexact: new Double(2 ** 60),
  huge: new Double(1e308),
  'the largest long': Long.MAX_VALUE,
  'the least long': Long.MIN_VALUE,
  'no number': new Double(NaN),
  'beyond doubles': Decimal128.fromString('1E+6144'),
};

function oddFigure(name: string, value: unknown): WireFault {
  const reply = rewritten((answer) => {
    for (const { storageStats } of answer['cursor']?.firstBatch ?? []) if (storageStats) storageStats[name] = value;
    return answer;
  });
  return { on: PHASES.collStats, reply };
}

describe.concurrent('hostile input, 2: one odd figure of $collStats costs no report', () => {
  const cases = FIGURES.flatMap((name) => Object.entries(ODD).map(([kind, value]) => ({ name, kind, value })));
  it.each(cases)('$name is $kind', async ({ name, value }) => {
    const options = { sharesProcess: true, limits: NOTHING_WAITS };
    const report = await faulty.lintThroughProxy({ exit: [1], report: true }, [oddFigure(name, value)], options);
    expect(report?.findings.map(({ check }) => check)).toContain('unbounded-array');
    const said = report?.skipped.filter(({ detail }) => detail.includes(`no storageStats.${name}`));
    expect(said).not.toEqual([]);
  });
});

describe('hostile input, 2: one odd date of a log costs no report', () => {
  it.each(['+275760-09-13T00:00:00.000Z', '-271821-04-20T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'])(
    'of %s',
    async (date) => {
      const log = join(await temporaryFolder(), 'mongod.log');
      const command = { find: 'orders', filter: { total: 5 } };
      const lines = [date, undefined].map((at) => slowLine(command, { ns: 'shop.orders', docsExamined: 1_500 }, at));
      await writeFile(log, `${lines.join('\n')}\n`);
      const report = await faulty.lint({ exit: [1], report: true }, { args: ['--log', log], sharesProcess: true });
      expect(report?.recorded).toContainEqual({
        source: 'log file',
        from: '2026-11-21T03:28:55.116Z',
        to: '2026-11-21T03:28:55.116Z',
      });
    },
  );
});

describe('hostile input, 3: judge accepts what collect wrote', () => {
  const cases = [[], ['--pseudonyms']].flatMap((args) => [
    { what: 'a date at the lower limit', args, faults: [] },
    { what: 'a size that is negative', args, faults: [oddFigure('size', ODD.negative)] },
    { what: 'a count that is fractional', args, faults: [oddFigure('count', ODD.fractional)] },
  ]);
  it.each(cases)('of $what $args', async ({ args, faults }) => {
    const dates = faulty.shop.client.db('dates').collection('limits');
    onTestFinished(async () => void (await dates.drop()));
    await dates.insertMany([-8.64e15, 8.64e15, -6e13].map((time) => ({ at: new Date(time) })));
    const folder = await temporaryFolder();
    const file = join(folder, 'shop.evidence.jsonl');
    const proxy = await WireProxy.start({ uri: faulty.shop.uri, faults });
    const env = { MONGOLINT_PSEUDONYMS_SECRET: 'a secret of this test' };
    const collected = await runLinter({ uri: proxy.uri, argv: ['collect', '--output', file, ...args], env });
    await proxy.stop();
    expect(collected).toMatchObject({ code: 0, stderr: expect.not.stringContaining('bug') });
    const judged = await runLinter({ uri: '', argv: ['judge', file, '--format', 'json'] });
    expect(judged).toMatchObject({ code: 1, stderr: '' });
    if (args.length === 0) expectFaultHandled(judged, faulty.healthy, { exit: [1], report: true });
  });
});

const deep = (levels: number) => `${'{"$and":['.repeat(levels)}{"a":"?string"}${']}'.repeat(levels)}`;

describe('hostile input, 6: crafted evidence is damaged, line N', () => {
  const crafted = {
    'of the kind "constructor"': (line: string) => line.replace('"kind":"collection"', '"kind":"constructor"'),
    'of the kind "__proto__"': (line: string) => line.replace('"kind":"collection"', '"kind":"__proto__"'),
    'without figures': () =>
      '{"kind":"operation","operation":{"shape":{"namespace":"a.b","kind":"find"},"figures":{}}}',
    'with a shape of 3,000 levels': () =>
      `{"kind":"operation","operation":{"shape":{"namespace":"a.b","kind":"find","filter":${deep(3_000)}},"figures":{}}}`,
    'with a fractional count': (line: string) => line.replace(/"count":\d+/, '"count":1.5'),
    'with a negative count': (line: string) => line.replace(/"count":\d+/, '"count":-1'),
  };

  it.each(Object.entries(crafted))('%s', async (_, craft) => {
    const file = join(await temporaryFolder(), 'shop.evidence.jsonl');
    await runLinter({ uri: faulty.shop.uri, argv: ['collect', '--output', file] });
    const lines = (await readFile(file, 'utf8')).split('\n');
    const at = lines.findIndex((line) => line.includes('"storage":{"present":true'));
    const line = craft(lines[at] as string);
    expect(line).not.toBe(lines[at]);
    await writeFile(file, lines.with(at, line).join('\n'));
    const { code, stderr } = await runLinter({ uri: '', argv: ['judge', file] });
    expect({ code, stderr: stderr.replace(file, 'FILE') }).toEqual({
      code: 2,
      stderr: expect.stringMatching(new RegExp(`^FILE, line ${at + 1} is damaged[^\\n]+\\n$`)),
    });
  });
});
