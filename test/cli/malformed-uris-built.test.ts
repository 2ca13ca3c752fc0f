import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { REPORT_FORMATS } from '../../src/report/formats.js';
import { leakIn, sentinelUris } from '../support/secrets/sentinel-uris.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const COMMAND = join(packageRoot(), 'dist/bundle/cli.js');
/** One process lints them all, since its start takes longer than a run that fails. */
const TARGETS = 120;
const FORMATS = REPORT_FORMATS.map(({ name, extension }) => `${name}=report.{target}.${name}.${extension}`);

/** All that a run of the built command prints, and leaves in its folder but what was there. */
async function allThatIsShown(
  folder: string,
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  if (!existsSync(COMMAND)) throw new Error('This test runs the built command: first run "npm run build".');
  const before = await readdir(folder);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [COMMAND, ...argv], {
    cwd: folder,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout: string; stderr: string }) => error);
  const written = (await readdir(folder)).filter((name) => !before.includes(name));
  const texts = await Promise.all(written.map((name) => readFile(join(folder, name), 'utf8')));
  expect(stderr).not.toBe('');
  return [stdout, stderr, ...written, ...texts].join('\n');
}

it(`the built command shows no piece of the passwords of ${TARGETS} targets, in any format`, async () => {
  const folder = await temporaryFolder();
  const targets = sentinelUris(TARGETS, 3).map((uri, index) => ({
    alias: `target-${index}`,
    uri: uri.replaceAll('${', '$'),
  }));
  await writeFile(join(folder, 'mongolint.config.json'), JSON.stringify({ targets, timeout: 20, formats: FORMATS }));
  expect(leakIn(await allThatIsShown(folder, ['--verbose']), folder)).toBeNull();
});

it.each(sentinelUris(2, 4))('the built command does not show %s, given to it', async (uri) => {
  const folder = await temporaryFolder();
  expect(leakIn(await allThatIsShown(folder, ['--verbose', '--timeout', '20ms', '--', uri]), folder)).toBeNull();
  expect(leakIn(await allThatIsShown(folder, [`--uri=${uri}`]), folder)).toBeNull();
});

it('the built command quotes nothing of a configuration that is not JavaScript', async () => {
  const folder = await temporaryFolder();
  await writeFile(
    join(folder, 'mongolint.config.mjs'),
    "export default {\n  uri: 'mongodb://ada:zqx'zqx@localhost',\n};\n",
  );
  const shown = await allThatIsShown(folder, ['--verbose']);
  expect(shown).toMatch(/^mongolint\.config\.mjs failed to load: SyntaxError; `node --check FILE` shows where\.$/m);
  expect(leakIn(shown, folder)).toBeNull();
});
