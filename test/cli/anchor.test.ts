import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';

const EVIDENCE = join(packageRoot(), 'test/evidence/recorded/v1/replica-set.evidence.jsonl.gz');

async function anchorsOf(files: Record<string, string>, ...argv: string[]) {
  const folder = await folderWith(files);
  const judged = (format: string) =>
    runCaptured(
      ['judge', EVIDENCE, '--format', format, ...argv.map((text) => text.replace('FOLDER', folder))],
      {},
      folder,
    );
  const [sarif, github, gitlab] = [await judged('sarif'), await judged('github'), await judged('gitlab')];
  expect(sarif.stderr).toBe('');
  const [result] = JSON.parse(sarif.stdout).runs[0].results;
  return {
    sarif: result.locations[0].physicalLocation?.artifactLocation.uri as string | undefined,
    github: /^::\w+ [^\n]*?file=([^,:]*)/m.exec(github.stdout)?.[1],
    gitlab: JSON.parse(gitlab.stdout)[0].location.path as string,
  };
}

describe('what findings point to', () => {
  it.each<[string, Record<string, string>, string[], string]>([
    ['the configuration', { 'mongolint.config.yaml': 'failOn: error\n', 'README.md': '' }, [], 'mongolint.config.yaml'],
    [
      'the baseline, without a configuration',
      { 'known.jsonl': '{"mongolint":"baseline","version":1}\n', 'README.md': '' },
      ['--baseline', 'FOLDER/known.jsonl'],
      'known.jsonl',
    ],
    [
      'another file, if the baseline is still to be written',
      { 'package.json': '{}' },
      ['--baseline', 'FOLDER/known.jsonl', '--update-baseline'],
      'package.json',
    ],
    ['another file, without either', { 'README.md': '' }, [], 'README.md'],
  ])('is %s', async (_, files, argv, file) => {
    expect((await anchorsOf(files, ...argv)).sarif).toBe(file);
  });

  it('is the same in each format', async () => {
    expect(await anchorsOf({ 'README.md': '' })).toEqual({
      sarif: 'README.md',
      github: 'README.md',
      gitlab: 'README.md',
    });
  });

  it('is no file at all if there is none, where the format allows that', async () => {
    expect(await anchorsOf({})).toEqual({ sarif: undefined, github: undefined, gitlab: 'mongolint.config.yaml' });
  });
});
