import { describe, expect, it } from 'vitest';
import { runCaptured } from '../support/captured-io.js';
import { writeTree } from '../support/code/hostile-trees.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('commands as people type them', () => {
  it.each<[string, string[], RegExp]>([
    ['help', ['help'], /^Usage: mongolint [^]*^What to lint:$[^]*^In a build:$[^]*^Commands:$/m],
    ['help of a command', ['help', 'judge'], /^Usage: mongolint judge /],
    ['all options', ['--help', '--all'], /^More options:$[^]* --otlp /m],
  ])('%s', async (_, argv, expected) => {
    const { stdout, exitCode } = await runCaptured(argv);
    expect(stdout).toMatch(expected);
    expect(exitCode).toBe(0);
  });

  it('shows the thirty options that people use, and how to see the others', async () => {
    const { stdout } = await runCaptured(['--help']);
    expect(stdout.match(/^ {2}--/gm)?.length).toBeLessThanOrEqual(31);
    expect(stdout).not.toContain('--otlp');
    expect(stdout).toContain('mongolint --help --all');
  });

  it.each<[string, string[], string]>([
    ['a stage of a plan', ['explain', 'collscan'], 'did you mean collection-scan'],
    ['a time without a unit', ['mongodb://127.0.0.1:1', '--timeout', '10'], '10s for seconds'],
    [
      'lint, and what it lints',
      ['lint', 'mongodb://127.0.0.1:1', '--timeout', '1s'],
      'No usable server at 127.0.0.1:1',
    ],
    ['accept without a baseline', ['accept', '--no-config'], '--baseline FILE --update-baseline'],
  ])('%s', async (_, argv, expected) => {
    const { stderr, exitCode } = await runCaptured(argv);
    expect(stderr).toContain(expected);
    expect(exitCode).toBe(2);
  });

  it.each<[string, string[]]>([
    ['after it', ['code', 'FOLDER', '--exclude', 'legacy/**', '--format', 'json']],
    ['before it', ['--exclude=legacy/**', 'code', 'FOLDER', '--format', 'json']],
    ['after another option that stands before it', ['--format', 'json', 'code', 'FOLDER', '--exclude', 'legacy/**']],
    ['as another option before it', ['--exclude', 'legacy/**', '--format=json', 'code', 'FOLDER']],
  ])('code leaves out files by --exclude, %s', async (_, argv) => {
    const folder = await temporaryFolder();
    await writeTree({ what: '', files: { 'legacy/old.js': 'a;' } }, folder);
    const { stdout, stderr, exitCode } = await runCaptured(argv.map((each) => each.replace('FOLDER', folder)));
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ files: { read: 1 }, places: [{ file: 'good.js' }] });
  });
});
