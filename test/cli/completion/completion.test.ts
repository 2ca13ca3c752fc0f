import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../../checks/index.js';
import { SHELLS } from '../../../src/cli/completion-command.js';
import { createProgram } from '../../../src/cli/program.js';
import { FORMAT_NAMES } from '../../../src/cli/report-outputs.js';
import { runCaptured } from '../../support/captured-io.js';
import { folderWith } from '../../support/config-folder.js';

const silent = { write: () => true };
const program = createProgram({ stdout: silent, stderr: silent, env: {}, cwd: () => '.' }, () => {});
const COMMANDS = [...program.commands.map((command) => command.name()), 'help'];
const OPTIONS = [...program.options.map(({ long }) => long as string), '--help'];
const IDS = builtInChecks.map(({ id }) => id);

/** What a real bash completes the last of these words to. */
async function completedByBash(...words: string[]): Promise<string[]> {
  const { stdout: script } = await runCaptured(['completion', 'bash']);
  const folder = await folderWith({ 'completion.bash': script });
  // Does what bash does on <Tab>: it looks up the function that was registered, and calls it with the words of the line.
  const harness = `
    source "$1"; shift
    [[ $(complete -p mongolint) =~ -F\\ ([_a-z]+) ]] || exit 3
    COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 ))
    "\${BASH_REMATCH[1]}" mongolint "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const argv = ['--norc', '-uc', harness, 'bash', join(folder, 'completion.bash'), 'mongolint', ...words];
  const { stdout } = await promisify(execFile)('bash', argv);
  return stdout.split('\n').filter((word) => word !== '');
}

describe('bash completes', () => {
  it.each<[string, string[], readonly string[]]>([
    ['commands and options', [''], [...COMMANDS, ...OPTIONS]],
    ['commands by their beginning', ['ex'], ['explain']],
    ['options by their beginning', ['--fail'], ['--fail-on']],
    ['the choices of an option', ['--fail-on', ''], ['error', 'warning', 'info', 'never', 'drift']],
    [
      'the choices of an option by their beginning',
      ['--strict', '--read-preference', 'primaryP'],
      ['primaryPreferred'],
    ],
    ['formats', ['--format', ''], FORMAT_NAMES],
    ['checks', ['explain', ''], [...IDS, '--config', '--no-config', '--plugin', '--state', '--report', '--help']],
    ['checks by their beginning', ['explain', 'unbounded-a'], ['unbounded-array']],
    ['shells', ['completion', 'z'], ['zsh']],
    ['commands after help', ['help', 'ro'], ['role']],
    ['options after options', ['mongodb://localhost', '--sample-size', '7', '--strict', '--quie'], ['--quiet']],
    ['not a command, where a value of that name stands before', ['--include', 'checks', '--stric'], ['--strict']],
    ['nothing of its own where a file is wanted', ['--baseline', ''], []],
    ['nothing of its own where a text is wanted', ['--include', 'sh'], []],
    ['nothing of its own after an equals sign', ['--format', 'json', '=', 're'], []],
    ['nothing for what is unknown', ['--zzz'], []],
  ])('%s', async (_, words, expected) => {
    expect(await completedByBash(...words)).toEqual([...expected]);
  });

  it('files, where nothing of its own is offered', async () => {
    expect((await runCaptured(['completion', 'bash'])).stdout).toMatch(
      /^complete -o bashdefault -o default -F _mongolint mongolint$/m,
    );
  });
});

describe.each(SHELLS)('the completions for %s', (shell) => {
  it('know each command, option and check', async () => {
    const { stdout, exitCode } = await runCaptured(['completion', shell]);
    expect(exitCode).toBe(0);
    for (const command of COMMANDS) expect(stdout).toContain(command);
    for (const id of IDS) expect(stdout).toContain(id);
    for (const option of OPTIONS) expect(stdout).toContain(shell === 'fish' ? `-l ${option.slice(2)} ` : option);
  });

  it('end words in quotes that are closed', async () => {
    const { stdout } = await runCaptured(['completion', shell]);
    // The descriptions hold apostrophes, each of which the shells would take for the beginning of a text.
    const unescaped = stdout
      .replaceAll(String.raw`'\''`, '')
      .replaceAll(String.raw`\'`, '')
      .replace(/^#.*$/gm, '');
    expect((unescaped.match(/'/g)?.length ?? 0) % 2).toBe(0);
  });
});

describe('mongolint completion', () => {
  it.each([[['completion']], [['completion', 'tcsh']]])('refuses %j', async (argv) => {
    expect(await runCaptured(argv)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
