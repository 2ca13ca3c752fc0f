import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { connect } from '../../src/connect/connect.js';
import { traceOf } from '../../src/connect/shown-error.js';
import { shownUri, whereOf } from '../../src/connect/shown-uri.js';
import { LintError } from '../../src/lint-error.js';
import { withoutUris } from '../../src/text/hidden-uris.js';
import { leakIn, sentinelUris } from '../support/secrets/sentinel-uris.js';

const CASES = 2_000;
/** Connection attempts at once. */
const AT_ONCE = 200;

it(`no piece of the password of ${CASES} slightly wrong connection strings is shown when they are parsed or used`, async () => {
  const uris = sentinelUris(CASES, 1);
  const leaks: [uri: string, leak: string][] = [];
  for (let start = 0; start < uris.length; start += AT_ONCE) {
    await Promise.all(
      uris.slice(start, start + AT_ONCE).map(async (uri) => {
        const leak = leakIn(await allThatIsShown(uri));
        if (leak !== null) leaks.push([uri, leak]);
      }),
    );
  }
  expect(leaks).toEqual([]);
});

async function allThatIsShown(uri: string): Promise<string> {
  const error: unknown = await connect({ uri, timeout: 20, maxTime: 1_000, concurrency: 1 }).then(
    ({ close }) => close(),
    (reason: unknown) => reason,
  );
  if (!(error instanceof LintError)) throw new Error(`an error of another kind for ${uri}`, { cause: error });
  expect(error.message).not.toContain('\n');
  // As a library's user sees it who prints an error, with its causes.
  return [
    error.message,
    traceOf(error, uri),
    inspect(error, { depth: 10, showHidden: true }),
    shownUri(uri),
    whereOf(uri),
    withoutUris(`near ${uri}.`, uri),
  ].join('\n');
}
