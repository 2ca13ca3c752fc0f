import { ConnectionString, redactConnectionString } from 'mongodb-connection-string-url';

const SHORTEST_SECRET = 6;

/** Removes credentials from a text: those in connection strings, and this URI's user and password anywhere. */
export function withoutSecrets(text: string, uri: string): string {
  let clean = redactConnectionString(text);
  for (const secret of secretsOf(uri)) {
    // A shorter secret is a syllable of ordinary words: replacing it would garble the text and reveal the password.
    if (secret.length >= SHORTEST_SECRET) clean = clean.replaceAll(secret, '<credentials>');
  }
  return clean;
}

function secretsOf(uri: string): string[] {
  const secrets = new Set<string>();
  // The regular expression also works if the URI is too malformed to be parsed.
  const userInfo = /^mongodb(?:\+srv)?:\/\/([^/]*)@/.exec(uri)?.[1];
  if (userInfo !== undefined) {
    const password = userInfo.includes(':') ? userInfo.slice(userInfo.indexOf(':') + 1) : userInfo;
    for (const secret of [userInfo, password]) {
      secrets.add(secret);
      secrets.add(decoded(secret));
    }
  }
  try {
    const parsed = new ConnectionString(uri, { looseValidation: true });
    for (const name of ['authMechanismProperties', 'tlsCertificateKeyFilePassword', 'proxyPassword']) {
      const value = parsed.searchParams.get(name);
      if (value !== null) secrets.add(value);
    }
  } catch {}
  secrets.delete('');
  return [...secrets].sort((a, b) => b.length - a.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
