import { ConnectionString } from 'mongodb-connection-string-url';
import { didYouMean } from '../text/spelling.js';
import { hasHosts, optionNames, knownOption, URI_OPTIONS } from './shown-uri.js';

/** What the parser says, without what it quotes. Source: mongodb-connection-string-url 7, `index.ts`. */
const PARSER_REASONS: readonly (readonly [RegExp, string])[] = [
  [/^Invalid scheme/, 'it must begin with mongodb:// or mongodb+srv://'],
  [/^Protocol and host list/, 'it names no host'],
  [/^Username contains unescaped/, 'the user contains characters that are not percent-encoded'],
  [/^Password contains unescaped/, 'the password contains characters that are not percent-encoded'],
  [/^URI contained empty userinfo/, 'user or password is empty'],
  [/^URI malformed/, 'user or password contains a % that does not begin an escape'],
  [/^mongodb\+srv URI cannot have multiple/, 'mongodb+srv:// takes one host'],
  [/^mongodb\+srv URI cannot have port/, 'mongodb+srv:// takes a host without a port'],
];

const NO_HOST = 'a host is not a name or address with a number for a port; an @ and the host follow user and password';

/** What to do about what the driver says of options. Source: mongodb 7, `connection_string.ts` and `mongo_credentials.ts`. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^loadBalanced option only supported with a single host/,
    'loadBalanced=true takes one host, that of the load balancer',
  ],
  [
    /^loadBalanced option not supported with a replicaSet/,
    'loadBalanced=true and replicaSet exclude each other: remove replicaSet',
  ],
  [
    /^loadBalanced option not supported when directConnection/,
    'loadBalanced=true and directConnection=true exclude each other: remove one',
  ],
  [
    /^directConnection option requires exactly one host/,
    'directConnection=true takes one host: name one, or remove the option',
  ],
  [
    /^SRV URI does not support directConnection/,
    'directConnection=true needs a host: write mongodb://host:27017 instead of mongodb+srv://',
  ],
  [/^All values of tls\/ssl must be the same/, 'tls and ssl contradict each other: keep tls'],
  [
    /^Primary read preference cannot be combined/,
    'readPreferenceTags and maxStalenessSeconds need a readPreference such as secondaryPreferred',
  ],
  [
    /^Either a ENVIRONMENT/,
    'authMechanism=MONGODB-OIDC needs authMechanismProperties=ENVIRONMENT:azure, gcp or k8s, since nobody can log in by a browser here',
  ],
  [/^Currently only a ENVIRONMENT/, 'authMechanismProperties takes ENVIRONMENT:azure, gcp, k8s or test'],
  [
    /^TOKEN_RESOURCE must be set/,
    'ENVIRONMENT:azure and gcp need TOKEN_RESOURCE in authMechanismProperties, the audience that the server expects',
  ],
  [
    /^username and password cannot be provided when using MONGODB-AWS/,
    'MONGODB-AWS takes no user and password here: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run with an IAM role',
  ],
  [
    /^AWS_SESSION_TOKEN cannot be provided/,
    'MONGODB-AWS takes no AWS_SESSION_TOKEN here: set the environment variable of that name',
  ],
  [
    /^authMechanism one of /,
    'its authMechanism is none of SCRAM-SHA-256, SCRAM-SHA-1, MONGODB-X509, MONGODB-AWS, MONGODB-OIDC, GSSAPI and PLAIN',
  ],
  [/requires an authSource of '\$external'$/, 'its authMechanism takes authSource=$external, or none'],
  [/is not a valid compression mechanism/, 'compressors takes snappy, zlib and zstd'],
];

/** What the driver says of options, of which it quotes no values. Source: mongodb 7, `connection_string.ts`. */
const FIXED_MESSAGES = [
  /^The '\w+' option cannot be used with the '\w+' option$/,
  /^Cannot (?:combine|use|limit) [\w, ]+ (?:option )?with [\w -]+$/,
  /^Must specify proxyHost if other proxy options are passed$/,
  /^Can only specify both of proxy username\/password or neither$/,
  /^Username required for mechanism '(?:GSSAPI|PLAIN|SCRAM-SHA-1|SCRAM-SHA-256|MONGODB-CR)'$/,
  /^Password not allowed for mechanism MONGODB-X509$/,
];

const REFUSED_WITHOUT_NAME: readonly (readonly [RegExp, string])[] = [
  [/read ?preference tags/i, 'readPreferenceTags'],
  [/read ?preference/i, 'readPreference'],
  [/TOKEN_RESOURCE|ENVIRONMENT|CANONICALIZE_HOST_NAME|mechanism propert/i, 'authMechanismProperties'],
];

/** What is wrong with a connection string, in half a sentence that quotes nothing of it; null if it can be parsed. */
export function uriFault(uri: string): string | null {
  try {
    return hasHosts(new ConnectionString(uri)) ? null : NO_HOST;
  } catch (error) {
    return parserReason((error as Error).message);
  }
}

function parserReason(message: string): string {
  return PARSER_REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? 'it is malformed';
}

/** Why the driver refuses a connection string, in half a sentence: by the names of options, without their values. */
export function driverRefusal(error: unknown, uri: ConnectionString): string {
  const unknown = optionNames(uri).find((name) => knownOption(name) === undefined);
  if (unknown !== undefined) return unknownOption(unknown, uri);
  const { message, name } = error as Error;
  const advice = ADVICE.find(([pattern]) => pattern.test(message));
  if (advice !== undefined) return advice[1];
  if (FIXED_MESSAGES.some((pattern) => pattern.test(message))) return message.replace(/\.$/, '');
  const empty = optionNames(uri).find((each) => uri.searchParams.get(each) === '');
  if (empty !== undefined) return `the option ${knownOption(empty)} has no value`;
  const named = refusedOption(message, uri);
  return named === undefined ? `the driver refuses it (${name})` : `the driver refuses its option ${named}`;
}

/** Behind a password with an unescaped "&" a piece of it looks like an option. */
function unknownOption(name: string, uri: ConnectionString): string {
  const isAlone = uri.username === '' && optionNames(uri).length === 1 && /^[a-z]+$/i.test(name);
  const shown = isAlone ? `the option ${name}` : 'one of its options';
  return `${shown} is not known to the driver${didYouMean(name, URI_OPTIONS).replace(/\?$/, '')}`;
}

function refusedOption(message: string, uri: ConnectionString): string | undefined {
  const present = new Set(optionNames(uri).flatMap((name) => knownOption(name) ?? []));
  const longestFirst = [...present].sort((a, b) => b.length - a.length);
  const named = longestFirst.find((name) => new RegExp(`\\b${name}\\b`, 'i').test(message));
  return named ?? REFUSED_WITHOUT_NAME.find(([pattern, name]) => present.has(name) && pattern.test(message))?.[1];
}
