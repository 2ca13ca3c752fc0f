import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// Item 7 of "Hostile input": the library checks its options, and nothing that it is given ends the process of its host.

const faulty = useFaultyShop();
const LIBRARY = pathToFileURL(join(packageRoot(), 'dist/bundle/index.js')).href;

interface Hosted {
  readonly error?: { readonly name: string; readonly message: string };
  readonly skipped?: readonly { readonly check: string; readonly reason: string }[];
  readonly findings?: number;
  readonly unhandled: number;
  readonly faults: readonly string[];
}

/** Lints with each of these options, as JavaScript, in one host, and says what came of it. */
async function hosted(...each: readonly string[]): Promise<[Hosted, ...Hosted[]]> {
  const file = join(await temporaryFolder(), 'host.mjs');
  await writeFile(
    file,
    `import { lint, LintError } from '${LIBRARY}';
    let said;
    process.on('unhandledRejection', () => (said.unhandled += 1));
    const onFault = (failed) => void said.faults.push(failed);
    const all = [];
    for (const options of [${each.map((options) => `() => (${options})`).join(', ')}]) {
      all.push((said = { unhandled: 0, faults: [] }));
      try {
        const report = await lint({ uri: process.env.MONGODB_URI, include: ['shop.*'], onFault, ...options() });
        Object.assign(said, { findings: report.findings.length, skipped: report.skipped });
      } catch (error) {
        said.error = { name: error instanceof LintError ? 'LintError' : error.name, message: error.message };
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    process.stdout.write(JSON.stringify(all));`,
  );
  const env = { PATH: process.env['PATH'], MONGODB_URI: faulty.shop.uri };
  return JSON.parse((await promisify(execFile)(process.execPath, [file], { env })).stdout) as [Hosted, ...Hosted[]];
}

const WRONG = [
  ['{ sampleSize: NaN }', 'sampleSize'],
  ['{ sampleSize: "1000" }', 'sampleSize'],
  ['{ sampleBytes: -1 }', 'sampleBytes'],
  ['{ concurrency: 0 }', 'concurrency'],
  ['{ timeout: Infinity }', 'timeout'],
  ['{ maxTime: "10s" }', 'maxTime'],
  ['{ uri: 27017 }', 'uri'],
  ['{ uri: undefined }', 'uri'],
  ['{ include: "shop.*" }', 'include'],
  ['{ include: [1] }', 'include.0'],
  ['{ checks: [{}] }', 'checks.0'],
  ['{ checks: {} }', 'checks'],
  ['{ settings: [] }', 'settings'],
  ['{ settings: { "unbounded-array": { severity: "fatal" } } }', 'settings.unbounded-array.severity'],
  [
    '{ settings: { "unbounded-array": { thresholds: { embeddedWarning: NaN } } } }',
    'settings.unbounded-array.thresholds.embeddedWarning',
  ],
  ['{ settings: { "unbound-array": {} } }', 'settings.unbound-array'],
  ['{ expect: [{ glob: "shop.*", documents: "many" }] }', 'expect.0.documents'],
  ['{ interruption: true }', 'interruption'],
  ['{ onProgress: 1 }', 'onProgress'],
  ['{ logFiles: "mongod.log" }', 'logFiles'],
  ['{ readPreference: "tertiary" }', 'readPreference'],
  ['{ samplesize: 10 }', 'samplesize'],
] as const;

it('item 7: an option that is wrong is named', async () => {
  const all = await hosted(...WRONG.map(([options]) => options));
  const expected = WRONG.map(([, name]) => ({
    unhandled: 0,
    faults: [],
    error: { name: 'LintError', message: expect.stringContaining(`The option ${name} of lint: `) as string },
  }));
  expect(all).toEqual(expected);
});

const CHECK = `{ id: 'theirs', title: 'T', summary: 's', docs: 'https://example.com/', appliesTo: ['collection'],
  needs: ['storage'], thresholds: {}, judge: async () => { throw new Error('theirs'); } }`;

describe('item 7: a promise that is rejected', () => {
  it('by a check is a skipped entry', async () => {
    const [{ skipped, unhandled, faults }] = await hosted(`{ checks: [${CHECK}] }`);
    expect(unhandled).toBe(0);
    expect(skipped).toContainEqual(expect.objectContaining({ check: 'theirs', reason: 'fault' }));
    expect(faults).toContain('theirs');
  });

  it.each(['onProgress', 'onClient'])('by %s is told to onFault', async (listener) => {
    const [{ findings, unhandled, faults }] = await hosted(
      `{ ${listener}: async () => { throw new Error('theirs'); } }`,
    );
    expect({ unhandled, hasFindings: (findings ?? 0) > 0 }).toEqual({ unhandled: 0, hasFindings: true });
    expect(faults).toContain(listener);
  });

  it('by onFault is told to nobody', async () => {
    const [{ skipped, unhandled }] = await hosted(
      `{ checks: [${CHECK}], onFault: async () => { throw new Error('theirs'); } }`,
    );
    expect(unhandled).toBe(0);
    expect(skipped).toContainEqual(expect.objectContaining({ check: 'theirs', reason: 'fault' }));
  });
});
