import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../src/connect/secrets.js';

describe('withoutSecrets', () => {
  it.each([
    ['the URI itself', 'mongodb://ada:s3cret@db.example.com/shop', 'failed: mongodb://ada:s3cret@db.example.com/shop'],
    ['the password alone', 'mongodb://ada:s3cret@db.example.com', 'bad password s3cret'],
    ['an encoded password', 'mongodb://ada:s3cr%40t@db.example.com', 'bad password s3cr@t or s3cr%40t'],
    ['a password with an unescaped @', 'mongodb://ada:s3c@ret@db.example.com', 'near s3c@ret@db.example.com'],
    ['a password with a colon', 'mongodb://ada:s3c:ret@db.example.com', 'near s3c:ret'],
    ['a malformed escape', 'mongodb://ada:s3cret%zz@db', 'near s3cret%zz'],
    [
      'an AWS session token',
      'mongodb+srv://db.example.com/?authMechanismProperties=AWS_SESSION_TOKEN:s3cret',
      'AWS_SESSION_TOKEN:s3cret',
    ],
    ['the key file password', 'mongodb://db/?tlsCertificateKeyFilePassword=s3cret', 'could not decrypt with s3cret'],
  ])('takes out %s', (_, uri, text) => {
    expect(withoutSecrets(text, uri)).not.toMatch(/s3c/);
  });

  it('leaves a text without secrets as it is', () => {
    const text = 'connect ECONNREFUSED 127.0.0.1:27017';
    expect(withoutSecrets(text, 'mongodb://127.0.0.1:27017')).toBe(text);
  });
});
