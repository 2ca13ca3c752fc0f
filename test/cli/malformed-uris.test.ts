import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isLikeUri } from '../../src/text/hidden-uris.js';
import { runCaptured } from '../support/captured-io.js';
import { leakIn, sentinelUris } from '../support/secrets/sentinel-uris.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SHORT = ['--timeout', '20ms', '--max-time', '500ms'];

/** Where a connection string may stand, by mistake too. `folder` is empty. */
const PLACES: Readonly<Record<string, (uri: string) => { argv: string[]; env?: Record<string, string> }>> = {
  'the argument': (uri) => ({ argv: ['--verbose', ...SHORT, '--', uri] }),
  MONGODB_URI: (uri) => ({ argv: ['--verbose', ...SHORT], env: { MONGODB_URI: uri } }),
  'an option that does not exist': (uri) => ({ argv: [`--uri=${uri}`, '--verbose'] }),
  'a short option': (uri) => ({ argv: [`-p${uri}`, '--verbose'] }),
  'the argument, twice': (uri) => ({ argv: ['mongodb://127.0.0.1:1', uri, '--verbose'] }),
  'the webhook': (uri) => ({ argv: ['mongodb://127.0.0.1:1', `--notify=${uri}`, '--verbose', ...SHORT] }),
  "the webhook's variable": (uri) => ({
    argv: ['mongodb://127.0.0.1:1', '--verbose', ...SHORT],
    env: { MONGOLINT_NOTIFY: uri },
  }),
  ...Object.fromEntries(
    ['config', 'include', 'exclude', 'format', 'fail-on', 'sample-size', 'read-preference', 'baseline', 'plugin'].map(
      (option) => [
        `--${option}`,
        (uri: string) => ({ argv: ['mongodb://127.0.0.1:1', `--${option}=${uri}`, '--verbose', ...SHORT] }),
      ],
    ),
  ),
  ...Object.fromEntries(
    ['history', 'log', 'format=json'].map((option) => [
      `--${option} in a folder that does not exist`,
      (uri: string) => ({
        argv: ['mongodb://127.0.0.1:1', `--${option.replace('=', '=json=')}=none/${uri}`, '--verbose', ...SHORT],
      }),
    ]),
  ),
  ...Object.fromEntries(
    ['demo', 'checks', 'explain', 'role', 'shard-key'].map((command) => [
      `the argument of ${command}`,
      (uri: string) => ({ argv: [command, ...(command === 'demo' ? ['more'] : []), uri, '--verbose'] }),
    ]),
  ),
  'the URI of rehearse': (uri) => ({
    argv: ['rehearse', '--on', 'mongodb://127.0.0.1:1', '--verbose', ...SHORT, '--', uri],
  }),
  'the scratch URI of rehearse': (uri) => ({
    argv: ['rehearse', '--on', uri, 'mongodb://127.0.0.1:1', '--verbose', ...SHORT],
  }),
  'the URI of shard-key': (uri) => ({ argv: ['shard-key', 'shop.orders', '{a: 1}', '--verbose', ...SHORT, '--', uri] }),
};
const HOLDS_A_URI = /argument|option|URI|webhook/;
const PER_PLACE = 10;

it.each(Object.keys(PLACES))('no piece of a password is shown that stands in %s', async (place) => {
  const folder = await temporaryFolder();
  const leaks: [uri: string, leak: string][] = [];
  for (const uri of sentinelUris(PER_PLACE, place.length).filter(
    (each) => isLikeUri(each) || HOLDS_A_URI.test(place),
  )) {
    const { argv, env = {} } = PLACES[place]?.(uri) ?? { argv: [] };
    const { stdout, stderr } = await runCaptured(argv, env, folder);
    const leak = leakIn(stdout + stderr, folder);
    if (leak !== null) leaks.push([uri, leak]);
  }
  expect(leaks).toEqual([]);
});

/** How a connection string may be written into a configuration, wrongly too. */
const WRITTEN: Readonly<Record<string, (uri: string) => string>> = {
  'mongolint.config.yaml': (uri) => `uri: ${uri}\n`,
  'without-key.yaml': (uri) => `${uri}\n`,
  'as-key.yaml': (uri) => `${JSON.stringify(uri)}: 1\nuri: x\n`,
  'as-alias.yaml': (uri) => `targets:\n  - alias: ${JSON.stringify(uri)}\n    uri: ${JSON.stringify(uri)}\n`,
  'as-target.yaml': (uri) => `targets:\n  - { alias: one, uri: ${uri} }\n  - { alias: one, uri: ${uri} }\n`,
  'as-setting.yaml': (uri) =>
    `failOn: ${JSON.stringify(uri)}\ninclude: [${JSON.stringify(uri)}]\nchecks: { ${JSON.stringify(uri)}: off }\n`,
  'as-format.yaml': (uri) =>
    `formats: [${JSON.stringify(uri)}]\nbaseline: ${JSON.stringify(uri)}\nuri: mongodb://127.0.0.1:1\n`,
  'as-webhook.yaml': (uri) => `notify: ${JSON.stringify(uri)}\nuri: mongodb://127.0.0.1:1\n`,
  'as-plugin.yaml': (uri) => `plugins: [${JSON.stringify(uri)}]\nextends: [${JSON.stringify(uri)}]\n`,
  'whole.json': (uri) => JSON.stringify({ uri, timeout: 20 }),
  'broken.json': (uri) => `{ "uri": "${uri}", }}`,
  'thrown.mjs': (uri) => `throw new Error('cannot use ' + ${JSON.stringify(uri)});`,
  'parsed.mjs': (uri) => `export default JSON.parse('{ "uri": ' + ${JSON.stringify(uri)} + '}');`,
};
const PER_FILE = 5;

it.each(Object.keys(WRITTEN))('no piece of a password is shown that stands in a configuration, %s', async (name) => {
  const leaks: [uri: string, leak: string][] = [];
  for (const uri of sentinelUris(PER_FILE, name.length)) {
    const folder = await temporaryFolder();
    await writeFile(join(folder, name), WRITTEN[name]?.(uri) ?? '');
    const { stdout, stderr } = await runCaptured(['--config', name, '--verbose', ...SHORT], {}, folder);
    const leak = leakIn(stdout + stderr, folder);
    if (leak !== null) leaks.push([uri, leak]);
  }
  expect(leaks).toEqual([]);
});
