import { basename } from 'node:path';
import { array, constant, constantFrom, oneof, sample, tuple } from 'fast-check';

/** Every piece of a password is one of these, however the connection string around it is cut. */
const PIECES = ['zqx', 'ZQX', 'þ', '%C3%BE', 'zqx%40zqx', 'zqx%zz'];
const MARKS = ['', '@', '/', ':', '?', '#', '&', '=', ',', ' ', '"', '\\', '%', '$', '!', '*', "'", '[', '{', '<'];

const SHOWN_SENTINEL = /zqx|þ|%c3%be/i;

/** What of a text is a piece of a password, with the text around it. The random name of the run's folder may hold one by chance. */
export function leakIn(shown: string, folder?: string): string | null {
  const text = folder === undefined ? shown : shown.replaceAll(basename(folder), 'FOLDER');
  const at = text.search(SHOWN_SENTINEL);
  return at === -1 ? null : text.slice(Math.max(0, at - 80), at + 80);
}

const piece = constantFrom(...PIECES);
const password = array(tuple(piece, constantFrom(...MARKS)), { minLength: 1, maxLength: 3 }).map((parts) =>
  parts.map(([text, mark], index) => (index === parts.length - 1 ? text : text + mark)).join(''),
);
const scheme = constantFrom(
  'mongodb://',
  'mongodb://',
  'mongodb://',
  'mongodb+srv://',
  '',
  'mongodb:/',
  'mongodb:',
  'mongodb//',
  'mongodb:///',
  'MONGODB://',
  'mongo://',
  'http://',
  ' mongodb://',
  '"mongodb://',
  'mongodb+srv:/',
  'mongodb+srv:',
);
const user = constantFrom('ada', 'ada', 'a', '', 'ada%40x', 'a/d');
const separator = constantFrom(':', ':', ':', ' ', '/', '@');
// No name that would have to be resolved.
const host = constantFrom(
  '@127.0.0.1:1',
  '@127.0.0.1:1',
  '@127.0.0.1:1,127.0.0.1:2',
  '',
  '@',
  '@:1',
  '@127.0.0.1:x',
  '@[::1',
);
const option = oneof(
  ...[
    'readPreference',
    'authMechanism',
    'w',
    'maxPoolSize',
    'tls',
    'compressors',
    'readPreferenceTags',
    'readConcernLevel',
  ].map((name) => password.map((text) => `${name}=${text}`)),
  ...['tlsCertificateKeyFilePassword', 'proxyPassword', 'proxyUsername', 'authSource', 'replicaSet', 'tlsCAFile'].map(
    (name) => password.map((text) => `${name}=${encodeURIComponent(text)}`),
  ),
  password.map((text) => `authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:${text}`),
  password.map((text) => `authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:${text}`),
  password.map((text) => `authMechanism=GSSAPI&authMechanismProperties=CANONICALIZE_HOST_NAME:${text}`),
  password.map((text) => `proxyHost=127.0.0.1&proxyPort=1&proxyUsername=ada&proxyPassword=${text}`),
  password.map((text) => `readPreferance=${text}`),
);
const options = oneof(
  constant(''),
  option.map((one) => `/?${one}`),
  option.map((one) => `/shop?${one}&w=1`),
);

const withUser = tuple(scheme, user, separator, password, host, options)
  .map((parts) => parts.join(''))
  .filter((uri) => !looksLikeAHost(uri));
const withOption = tuple(constantFrom('mongodb://127.0.0.1:1', 'mongodb://127.0.0.1:1,127.0.0.1:2'), option).map(
  ([uri, one]) => `${uri}/?${one}`,
);

/** Nobody can tell a password that stands where a host stands, and has the form of one. */
function looksLikeAHost(uri: string): boolean {
  return /^mongodb(?:\+srv)?:\/\/(?:[^@/]*@)?[\w.-]*[zqx][\w.-]*(?::\d+)?(?:[/?][^@]*)?$/i.test(uri);
}

/** Connection strings with a password, slightly wrong in many ways, and the same ones at each run of the tests. */
export function sentinelUris(count: number, seed: number): string[] {
  return sample(oneof({ weight: 3, arbitrary: withUser }, { weight: 1, arbitrary: withOption }), {
    numRuns: count,
    seed,
  });
}
