import { describe, expect, it } from 'vitest';
import { shownUri } from '../../src/connect/shown-uri.js';
import { withoutUris } from '../../src/text/hidden-uris.js';

describe('shownUri', () => {
  it.each([
    ['mongodb://localhost', 'mongodb://localhost'],
    ['mongodb://ada:s3cret@db1:27017,db2/shop', 'mongodb://db1:27017,db2'],
    ['mongodb+srv://ada:s3c%40ret@cluster.example.net/', 'mongodb+srv://cluster.example.net'],
    ['mongodb://ada:x@[::1]:27017/', 'mongodb://[::1]:27017'],
    ['mongodb://%2Ftmp%2Fmongodb-27017.sock/', 'mongodb://a socket'],
    [
      'mongodb://db/?authsource=s3cret&tlsCertificateKeyFilePassword=s3cret&s3cret=1',
      'mongodb://db with authSource, tlsCertificateKeyFilePassword',
    ],
  ])('of %s shows scheme, hosts and names of options', (uri, shown) => {
    expect(shownUri(uri)).toBe(shown);
  });

  it.each([
    ['without a scheme', 'ada:s3cret@db'],
    ['with one slash', 'mongodb:/ada:s3cret@db'],
    ['without a host', 'mongodb://ada:s3cret'],
    ['with a host that is none', 'mongodb+srv://ada:s3cret'],
    ['of a deployment without a domain', 'mongodb+srv://s3cret'],
    ['with @ and / in the password', 'mongodb://ada:s3@cr/et@db'],
    ['with another scheme', 's3cret://db'],
  ])('of one %s shows nothing', (_, uri) => {
    expect(shownUri(uri)).toBe('<connection string>');
  });
});

describe('withoutUris', () => {
  it.each([
    'cannot read mongodb://ada:s3cret@db/x as a configuration',
    'near "mongodb+srv://ada:s3cret@db", line 3',
    'near mongodb://ada:s3 cret@db',
    'https://ada:s3cret@hooks.example.com refused',
    'ada:s3cret@db is not a file',
    'mongodb:/s3cret',
    "near 'mongodb://ada:s3'cret'",
  ])('hides it in %s', (text) => {
    expect(withoutUris(text)).not.toMatch(/s3|cret/);
  });

  it('hides one that has no form at all', () => {
    expect(withoutUris('near ada s3cret here', 'ada s3cret')).toBe('near <connection string> here');
  });

  it.each([
    '    at run (file:///srv/node_modules/@acme/lint/index.js:12:34)',
    'mongolint.config.yaml:3: plugins: The plugin "@acme/lint" was not found',
    'connect ECONNREFUSED 127.0.0.1:27017',
    'There is no baseline /srv/reports/@acme.jsonl; write it with --update-baseline.',
  ])('leaves %s as it is', (text) => {
    expect(withoutUris(text)).toBe(text);
  });
});
