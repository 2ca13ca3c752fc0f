import { ConnectionString } from 'mongodb-connection-string-url';
import { didYouMean } from '../spelling.js';
import { hasHosts, optionNames } from './shown-uri.js';
import { knownOption, URI_OPTIONS } from './uri-options.js';

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

/** What the driver says of options, of which it quotes no values. Source: mongodb 7, `connection_string.ts`. */
const FIXED_MESSAGES = [
  /^directConnection option requires exactly one host$/,
  /^SRV URI does not support directConnection$/,
  /^All values of tls\/ssl must be the same\.$/,
  /^The '\w+' option cannot be used with the '\w+' option$/,
  /^loadBalanced option [\w ]+$/,
  /^Cannot (?:combine|use|limit) [\w, ]+ (?:option )?with [\w -]+$/,
  /^Must specify proxyHost if other proxy options are passed$/,
  /^Can only specify both of proxy username\/password or neither$/,
  /^Primary read preference cannot be combined with \w+$/,
  /^Username required for mechanism '(?:GSSAPI|PLAIN|SCRAM-SHA-1|SCRAM-SHA-256|MONGODB-CR)'$/,
  /^Password not allowed for mechanism MONGODB-X509$/,
];

const REFUSED_WITHOUT_NAME: readonly (readonly [RegExp, string])[] = [
  [/read ?preference tags/i, 'readPreferenceTags'],
  [/read ?preference/i, 'readPreference'],
  [/compression mechanism/, 'compressors'],
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
