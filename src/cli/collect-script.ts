import { gunzipSync } from 'node:zlib';
import { builtInChecks } from '../../checks/index.js';
import { packageFile, packageInfo } from '../files/package-root.js';
import { selectedSettings } from '../findings/evidence-plan.js';
import { LintError } from '../lint-error.js';
import { takenByLint } from '../lint/lint-options.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { spelledFlag } from './command-option.js';
import type { Io } from './io.js';
import type { RunOptions } from './run-options.js';

/** The code that runs in mongosh, as `npm run build` bundles it; see `collect-in-shell.ts`. */
const CODE = 'dist/bundle/collect-in-shell.cjs.gz';

const DEFAULT_OUTPUT = 'mongolint.evidence.jsonl.gz';

/** Begins each line of the code: a comment for the shell. */
const MARK = '//| ';

const CARRIED = [
  'include',
  'exclude',
  'sampleSize',
  'sampleBytes',
  'concurrency',
  'maxTime',
  'timeout',
  'readPreference',
  'deep',
] as const satisfies readonly (keyof RunOptions)[];
const SELECTING = ['check', 'skipCheck', 'group', 'severity'] as const satisfies readonly (keyof RunOptions)[];
const ALLOWED: ReadonlySet<string> = new Set([...CARRIED, ...SELECTING]);

export interface ScriptArguments {
  readonly uri: string | undefined;
  readonly pseudonyms: boolean;
  /** Written by the script. */
  readonly output: string | undefined;
}

/** Prints a script that collects in mongosh, with the given options. */
export function collectScriptCommand(
  { uri, output = DEFAULT_OUTPUT, pseudonyms }: ScriptArguments,
  flags: Partial<RunOptions>,
  io: Io,
): ExitCode {
  if (uri !== undefined)
    throw new LintError('The script reads what its shell is connected to: give the connection string to mongosh.');
  if (pseudonyms) throw new LintError('The script would contain the secret of pseudonyms: collect with mongolint.');
  const foreign = Object.keys(flags).find((name) => !ALLOWED.has(name));
  if (foreign !== undefined) throw new LintError(`collect --script takes no option ${spelledFlag(foreign)}.`);
  io.stdout.write(collectScript(output, flags));
  return EXIT_CODES.clean;
}

/** A script for mongosh 2 that writes an evidence file. @throws LintError in a checkout that was not built */
function collectScript(output: string, flags: Partial<RunOptions>): string {
  const { check = [], skipCheck = [], severity = [], group = null } = flags;
  const settings = selectedSettings(builtInChecks, {}, { check, skipCheck, severity, group });
  const options = takenByLint(Object.fromEntries(CARRIED.map((name) => [name, flags[name]])));
  const { version } = packageInfo();
  return [
    ...headOf(version, output),
    `const given = ${JSON.stringify({ output, options, settings }, null, 2)};`,
    ...RUNNER,
    `// The code of mongolint ${version}, as the function above compiles it: each line is behind a mark.`,
    ...bundledCode().map((line) => `${MARK}${line}`),
    '',
  ].join('\n');
}

function headOf(version: string, output: string): string[] {
  return [
    `// mongolint ${version}: writes the evidence of a cluster to ${JSON.stringify(output)}, with mongosh 2 alone.`,
    '//',
    '//   mongosh --quiet "mongodb://…" --file this-script.js',
    '//',
    '// It only reads, by connections of its own to where the shell is connected: the commands are those of a list, each with',
    '// maxTimeMS and the comment "mongolint". The file holds no document value, no literal of a query and no credential.',
    '// Judge it with mongolint: mongolint judge FILE',
    '',
    '{',
  ];
}

const RUNNER: readonly string[] = [
  'const collect = () => {',
  "  const { readFileSync } = require('node:fs');",
  "  const { runInThisContext } = require('node:vm');",
  "  if (Number(process.versions.node.split('.')[0]) < 20)",
  "    throw new Error('mongolint needs mongosh 2.0 or later: this one runs Node ' + process.versions.node + '.');",
  "  if (typeof __filename !== 'string')",
  "    throw new Error('mongolint reads its code from the script: run it with mongosh --file, or with load().');",
  "  const lines = readFileSync(__filename, 'utf8').split(/\\r?\\n/);",
  "  const code = lines.filter((line) => line.startsWith('//| ')).map((line) => line.slice(4)).join('\\n');",
  '  const module = { exports: {} };',
  '  // In the context of Node, not in that of the shell: their arrays and maps are of different classes.',
  "  runInThisContext('(function (module, exports, require, __filename) {' + code + '\\n})', 'mongolint.cjs')(",
  '    module,',
  '    module.exports,',
  '    require,',
  '    __filename,',
  '  );',
  '  return module.exports.collectInShell({ ...given, uri: db.getMongo().getURI(), print: (line) => print(line) });',
  '};',
  '',
  "// A script can't await a promise of its own; the shell waits in sleep().",
  'let ended = null;',
  'collect().then(',
  '  () => (ended = {}),',
  '  (error) => (ended = { error }),',
  ');',
  'while (ended === null) sleep(100);',
  'if (ended.error !== undefined) throw ended.error;',
  '}',
];

/** With the licenses of the packages in it. */
function bundledCode(): string[] {
  const code = packageFile(CODE);
  if (code === null) throw new LintError('The code for mongosh is missing: run npm run build first.');
  return gunzipSync(code).toString().trimEnd().split('\n');
}
