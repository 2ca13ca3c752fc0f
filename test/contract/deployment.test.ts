import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createProgram } from '../../src/cli/program.js';
import { runSettings } from '../../src/cli/run-settings.js';
import { URI_VARIABLE } from '../../src/config/config-file.js';
import { packageRoot } from '../../src/files/package-root.js';
import { OPTIONS } from '../../src/lint/options.js';
import { folderWith } from '../support/config-folder.js';

const read = (path: string) => readFileSync(join(packageRoot(), path), 'utf8');
const silent = { write: () => true };
const io = { stdout: silent, stderr: silent, env: {}, cwd: () => '.' };
const program = createProgram(io, () => {});

const TEMPLATES = [
  'Dockerfile',
  'action.yml',
  'deploy/kubernetes-cronjob.yaml',
  'deploy/kubernetes-indexed-job.yaml',
  'deploy/mongolint.service',
  'deploy/mongolint.timer',
  'deploy/gitlab-ci.yml',
];

describe.each(TEMPLATES)('%s', (path) => {
  const text = read(path);

  it('is explained in README', () => {
    expect(read('README.md')).toContain(`](${path})`);
  });

  it('uses options that mongolint has', () => {
    const calls = text.split('\n').filter((line) => !/^\s*#|npm |COPY|systemctl|set \+e/.test(line));
    const used = calls.join('\n').match(/(?<![\w-])--[a-z][a-z-]+/g) ?? [];
    const ofCommands = [program, ...program.commands].flatMap(({ options }) => options);
    const known = new Set(ofCommands.flatMap(({ long, short }) => [long, short]));
    expect(used.filter((option) => !known.has(option))).toEqual([]);
  });
});

describe('the image', () => {
  const [, build = '', image = ''] = read('Dockerfile').split(/^FROM node:22-slim.*$/m);

  it('runs on a Node that package.json allows and that is still supported, and not as root', () => {
    expect((parse(read('package.json')) as { engines: { node: string } }).engines.node).toMatch(/^>=20\./);
    expect(image).toMatch(/^USER [1-9]\d*$/m);
  });

  it('holds what the package holds, and is given what the build needs', () => {
    const { files } = parse(read('package.json')) as { files: string[] };
    expect(build).toContain('npm pack');
    expect(image).toContain('COPY --from=build /build/package ./');
    expect(image).toMatch(/^COPY package\.json package-lock\.json \.\/\nRUN npm ci --omit=dev/m);
    const context = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const { include } = parse(read('tsconfig.build.json')) as { include: string[] };
    const packed = files.filter((path) => !path.startsWith('!') && !path.startsWith('dist/'));
    const ofPackage = packed.map((path) => path.replace(/\/[^/]*\*.*$/, ''));
    const needs = [
      ...include,
      ...ofPackage,
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.build.json',
    ];
    expect(needs.filter((path) => !context.some((one) => path === one || path.startsWith(`${one}/`)))).toEqual([]);
    expect(context.filter((path) => !existsSync(join(packageRoot(), path)))).toEqual([]);
    expect(build).toContain('npm ci');
  });
});

describe('the CronJob', () => {
  const [secret, config, job] = parseAllDocuments(read('deploy/kubernetes-cronjob.yaml')).map((document) =>
    document.toJS(),
  );
  const pod = job.spec.jobTemplate.spec.template.spec;
  const [container] = pod.containers;

  it('runs without rights, on a file system that can not be written', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
  });

  it('gives the variables that mongolint reads, from the Secret', () => {
    expect(Object.keys(secret.stringData)).toEqual([URI_VARIABLE, OPTIONS.state.variable, OPTIONS.notify.variable]);
    expect(container.envFrom).toEqual([{ secretRef: { name: secret.metadata.name } }]);
  });

  it('has a configuration that mongolint accepts, and writes to the state alone, without a volume that lasts', async () => {
    const cwd = await folderWith(config.data as Record<string, string>);
    const flags = { config: 'mongolint.config.yaml' };
    const { resolved, targets } = await runSettings(undefined, flags, {
      ...io,
      env: secret.stringData,
      cwd: () => cwd,
    });
    expect(targets.map(({ uri }) => uri)).toEqual([secret.stringData[URI_VARIABLE]]);
    const { baseline, history, state, format = [] } = resolved.values;
    expect({ baseline, history, state }).toEqual({ state: secret.stringData[OPTIONS.state.variable] });
    expect(format.filter(({ file }) => file !== null)).toEqual([]);
    expect(container.volumeMounts).toContainEqual({ name: 'temporary', mountPath: '/tmp' });
    expect(pod.volumes).toContainEqual({ name: 'temporary', emptyDir: {} });
    expect(container.volumeMounts).toContainEqual({ name: 'config', mountPath: '/config', readOnly: true });
  });
});

describe('the Indexed Job', () => {
  const [secret, config, , lint, merge] = parseAllDocuments(read('deploy/kubernetes-indexed-job.yaml')).map(
    (document) => document.toJS(),
  );
  const containers = [lint, merge].map((job) => job.spec.template.spec.containers[0]);

  it.each([
    ['lints', lint],
    ['merges', merge],
  ])('%s without rights, on a file system that can not be written', (_, job) => {
    const pod = job.spec.template.spec;
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.containers[0].securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('shares the targets of its configuration out to as many parts as it has pods', async () => {
    const cwd = await folderWith(config.data as Record<string, string>);
    const settings = { ...io, env: secret.stringData, cwd: () => cwd };
    const { targets } = await runSettings(undefined, { config: 'mongolint.config.yaml' }, settings);
    expect(targets.map(({ uri }) => uri)).toEqual(Object.values(secret.stringData));
    const { completions, parallelism, completionMode } = lint.spec;
    expect({ completionMode, parallelism }).toEqual({ completionMode: 'Indexed', parallelism: completions });
    const script = containers[0].args[0] as string;
    const parts = Array.from({ length: completions }, async (_, index) => {
      const shown = script.replace('exec mongolint', 'exec printf "%s\\n"');
      const env = { PATH: process.env['PATH'], JOB_COMPLETION_INDEX: String(index) };
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', shown], { env });
      return stdout.split('\n');
    });
    const argv = await Promise.all(parts);
    expect(argv.map((words) => words[words.indexOf('--shard') + 1])).toEqual(['1/4', '2/4', '3/4', '4/4']);
    const files = argv.map((words) => words[words.indexOf('--format') + 1]);
    expect(new Set(files).size).toBe(completions);
    for (const file of files) expect(file).toMatch(/^json=\/data\/part-\d\.json$/);
    expect(containers[1].args).toContain('--merge=/data/part-*.json');
  });

  it('waits with the report until it is let go', () => expect(merge.spec.suspend).toBe(true));
});

it('keeps the command of a linked clone executable when it is built again', () => {
  expect(() => accessSync(join(packageRoot(), 'dist/bundle/cli.js'), constants.X_OK)).not.toThrow();
});

describe('the GitHub Action', () => {
  const action = parse(read('action.yml'));
  const [, install, lint] = action.runs.steps;

  it('reads inputs from the environment alone, never as code', () => {
    for (const { run } of [lint, install]) expect(run).not.toContain('${{');
    const used = [lint, install].flatMap(({ env }) => Object.keys(env).filter((name) => name.startsWith('INPUT_')));
    expect(Object.keys(action.inputs).map((name) => `INPUT_${name.toUpperCase().replace('-', '_')}`)).toEqual(used);
  });

  it('hands inputs over as they are, and the exit code on', async () => {
    const folder = await folderWith({
      'mongolint/node_modules/.bin/mongolint':
        '#!/usr/bin/env node\nconsole.log(JSON.stringify([process.argv.slice(2), process.env.MONGODB_URI, process.env.GITHUB_TOKEN])); process.exitCode = 3;',
      output: '',
      'mongolint.md': '',
    });
    await chmod(join(folder, 'mongolint/node_modules/.bin/mongolint'), 0o755);
    const env = {
      PATH: process.env['PATH'],
      GITHUB_OUTPUT: join(folder, 'output'),
      INPUT_URI: 'mongodb://a:b@c/?x=1&y=2',
      INPUT_CONFIG: 'my config.yaml',
      INPUT_SARIF: 'a b.sarif',
      INPUT_TOKEN: 'token',
      RUNNER_TEMP: folder,
      INPUT_COMMENT_NAME: 'a $(b)',
      INPUT_ARGUMENTS: '--include\nshop.*; echo $HOME\n\n--strict\n',
    };
    const run = promisify(execFile)('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', lint.run as string], {
      env,
    });
    const failed = (await run.then(
      () => ({ code: 0, stdout: '' }),
      (error: unknown) => error,
    )) as { code: number; stdout: string };
    expect(failed.code).toBe(3);
    const [linted = '', commented = ''] = failed.stdout.split('\n');
    expect(JSON.parse(commented)).toEqual([
      ['comment', '--name', 'a $(b)', join(folder, 'mongolint.md')],
      env.INPUT_URI,
      'token',
    ]);
    expect(JSON.parse(linted)).toEqual([
      [
        '--no-progress',
        '--format',
        'github',
        '--format',
        'sarif=a b.sarif',
        '--format',
        `markdown=${join(folder, 'mongolint.md')}`,
        '--config',
        'my config.yaml',
        '--include',
        'shop.*; echo $HOME',
        '--strict',
      ],
      'mongodb://a:b@c/?x=1&y=2',
      null,
    ]);
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('exit-code=3\n');
  });
});

it('templates and the hook install this version, and the parser that it needs', () => {
  const { version, peerDependencies } = parse(read('package.json'));
  const hook = read('.pre-commit-hooks.yaml');
  expect(hook).toContain(`--package=mongolint@${version} `);
  expect(hook).toContain(`--package=oxc-parser@${peerDependencies['oxc-parser'].replace('~', '')} `);
  expect(parse(read('deploy/gitlab-ci.yml')).mongolint.variables.MONGOLINT_VERSION).toBe(version);
});

describe('flags and configuration', () => {
  /** Flags that speak of one run, not of the project. */
  const OF_A_RUN = new Set([
    'config',
    'updateBaseline',
    'prune',
    'quiet',
    'verbose',
    'progress',
    'version',
    'color',
    'printConfig',
    // `checks` of the file says more of each.
    'check',
    'skipCheck',
    'group',
    'severity',
    'owner',
    'shard',
    'changed',
  ]);
  /** Keys that are no options. */
  const OF_A_FILE = new Set([
    '$schema',
    'uri',
    'targets',
    'extends',
    'checks',
    'owners',
    'channels',
    'suppressions',
    'expect',
    'rules',
  ]);
  /** Keys that are named for several values. */
  const PLURALS: Readonly<Record<string, string>> = { format: 'formats', plugin: 'plugins' };

  it('have the same names, so that whatever can be set by a flag can be set in the file', () => {
    const keys = Object.keys((parse(read('schema/config.schema.json')) as { properties: object }).properties);
    const flags = program.options.map((option) => option.attributeName()).filter((name) => !OF_A_RUN.has(name));
    expect(flags.map((name) => PLURALS[name] ?? name).sort()).toEqual(keys.filter((key) => !OF_A_FILE.has(key)).sort());
  });
});
