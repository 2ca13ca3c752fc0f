import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { isClusterCheck } from '../../src/check.js';
import type { Skipped } from '../../src/finding.js';
import { runCautions, runFailures, type RunCourse } from '../../src/lint/run-failures.js';
import { absent, present, SKIP_REASONS, type SkipReason } from '../../src/presence.js';

type Documents = SkipReason | 'read' | 'not wanted' | 'empty' | 'empty, refused';

const skipped = (reason: SkipReason, changes: Partial<Skipped> = {}): Skipped => ({
  check: 'unbounded-array',
  namespace: 'shop.orders',
  reason,
  detail: 'reading documents of shop.orders: not to be had.',
  ...changes,
});
const unlisted = skipped('privilege', { check: '*', namespace: 'shop.*' });
const nothing = { judgedBy: [] };
const judged = { judgedBy: ['unused-index'] };
const clusterChecks = builtInChecks.filter(isClusterCheck);

/** A collection that was judged by something, whatever became of its documents. */
function withDocuments(state: Documents): RunCourse['judged'][number] {
  if (state === 'not wanted') return { ...judged, documents: undefined };
  if (state === 'empty') return { ...judged, documents: present(null), measured: { documents: 0 } };
  if (state === 'empty, refused')
    return { ...judged, documents: absent('privilege', 'not to be had.'), measured: { documents: 0 } };
  return {
    ...judged,
    documents: state === 'read' ? present(null) : absent(state, 'not to be had.'),
    measured: { documents: 7 },
  };
}

/** A run over two collections, one of which was judged by a check, with nothing left out, unless changed. */
const courseOf = (changes: Partial<RunCourse>): RunCourse => ({
  checks: builtInChecks,
  judged: [judged, nothing],
  ofCluster: nothing,
  skipped: [],
  isOutOfTime: false,
  isStopped: false,
  user: null,
  ...changes,
});

describe('runFailures', () => {
  it.each<[string, Partial<RunCourse>, string[]]>([
    ['everything was judged', {}, []],
    ['a privilege was never there', { skipped: [skipped('privilege')], user: 'as before' }, []],
    ['the server does not say whether rights were lost', { skipped: [skipped('privilege')] }, []],
    ['one read reached its time limit', { skipped: [skipped('timeout')] }, []],
    ['rights were lost', { skipped: [skipped('privilege')], user: 'lost' }, ['rights-lost']],
    ['rights were lost that nothing needed', { user: 'lost' }, []],
    [
      'the user is no longer accepted',
      { skipped: [skipped('authentication'), skipped('privilege')], user: 'lost' },
      ['rights-lost'],
    ],
    ['the run spared the server', { skipped: [skipped('server-load')], isStopped: true }, ['server-load']],
    ['the run spared the server, and nothing is skipped', { isStopped: true }, ['server-load']],
    ["the run's time was over", { skipped: [skipped('max-time')], isOutOfTime: true }, ['max-time']],
    [
      "a read reached its limit as the run's time was over",
      { skipped: [skipped('timeout')], isOutOfTime: true },
      ['max-time'],
    ],
    ["the run's time was over with the last read, and nothing was left out", { isOutOfTime: true }, []],
    ['the connection was lost', { skipped: [skipped('connection'), skipped('connection')] }, ['connection']],
    [
      'the run was interrupted, and a check failed',
      { skipped: [skipped('fault'), skipped('interrupted')] },
      ['interrupted', 'fault'],
    ],
    ['no collection was asked for: the cluster is empty', { judged: [] }, []],
    [
      'the cluster is empty, and its profiler can not be read',
      { judged: [], skipped: [skipped('unsupported', { check: 'heavy-lookup' })] },
      [],
    ],
    ['all collections are empty', { judged: [nothing, nothing] }, []],
    ['no database could be listed', { judged: [], skipped: [unlisted], user: 'as before' }, ['nothing-judged']],
    [
      'no database could be listed, as if each had vanished',
      { judged: [], skipped: [{ ...unlisted, reason: 'vanished' }], user: 'as before' },
      ['nothing-judged'],
    ],
    [
      'no database could be listed, but a check of the whole cluster judged by other evidence',
      { judged: [], skipped: [unlisted], ofCluster: { judgedBy: ['heavy-lookup'] } },
      ['nothing-judged'],
    ],
    [
      'no collection could be read, but a check of the whole cluster judged by other evidence',
      { judged: [nothing], skipped: [skipped('timeout')], ofCluster: { judgedBy: ['heavy-lookup'] } },
      ['nothing-judged'],
    ],
    [
      'only a check of the whole cluster was asked for, and judged',
      {
        checks: clusterChecks,
        judged: [nothing],
        skipped: [skipped('privilege')],
        ofCluster: { judgedBy: ['heavy-lookup'] },
      },
      [],
    ],
    [
      'only a check of the whole cluster was asked for, and could not judge',
      { checks: clusterChecks, judged: [nothing], skipped: [skipped('privilege')] },
      ['nothing-judged'],
    ],
    [
      'every read was refused after the rights were lost',
      { judged: [nothing], skipped: [skipped('privilege')], user: 'lost' },
      ['nothing-judged', 'rights-lost'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(runFailures(courseOf(changes)).map(({ reason }) => reason)).toEqual(expected);
  });

  it.each(SKIP_REASONS.map((reason) => [reason]))('counts a run that judged nothing by its reason: %s', (reason) => {
    const failures = runFailures(courseOf({ judged: [nothing], skipped: [skipped(reason)] }));
    const isKnown = ['insufficient', 'bound', 'vanished', 'too-small'].includes(reason);
    expect(failures.some((failure) => failure.reason === 'nothing-judged')).toBe(!isKnown);
  });

  it.each<[string, RunCourse['user'], RegExp]>([
    ['credentials are missing', 'none', /^nothing could be judged, as the server demands authentication; put user/],
    ['roles are missing', 'as before', /^nothing could be judged, as the user may not read it; grant the role/],
  ])('says what to do if %s', (_, user, expected) => {
    const [failure] = runFailures(courseOf({ judged: [], skipped: [unlisted], user }));
    expect(failure?.detail).toMatch(expected);
  });

  it.each<[string, Documents[], boolean]>([
    ['all documents came', ['read', 'read'], false],
    ['none came in time', ['timeout', 'timeout'], true],
    ['half of them came in time', ['timeout', 'read'], true],
    ['more than half of them came', ['timeout', 'read', 'read'], false],
    ['some did not come in time, and some are damaged', ['timeout', 'malformed', 'read', 'read'], true],
    ['those of a view were not wanted', ['timeout', 'read', 'not wanted', 'not wanted'], true],
    ['no check wanted any', ['not wanted', 'not wanted'], false],
    ['the user may not read any', ['privilege', 'privilege'], true],
    ['the user may not read any, and those that are empty were read', ['privilege', 'empty'], true],
    ['the user may not read most of them', ['privilege', 'privilege', 'read'], false],
    ['the user may not read most of them, and one did not come in time', ['privilege', 'timeout', 'read'], true],
    ['the user may not read empty ones', ['empty, refused', 'empty, refused'], false],
    ['the server does not support the read', ['unsupported', 'unsupported'], true],
    ['the file has none', ['insufficient', 'insufficient'], true],
    ['the collections were dropped', ['vanished', 'vanished'], false],
  ])('counts the collections whose documents are missing: %s', (_, documents, expected) => {
    const run = courseOf({ judged: documents.map(withDocuments) });
    expect(runFailures(run).map(({ reason }) => reason)).toEqual(expected ? ['documents-missing'] : []);
  });

  it('says how many collections lack their documents, and what would help', () => {
    expect(runFailures(courseOf({ judged: (['timeout', 'timeout', 'read'] as const).map(withDocuments) }))).toEqual([
      {
        reason: 'documents-missing',
        detail:
          'the documents of 2 of 3 collections could not be read: no read of them ended within its time limit; raise it with --timeout.',
      },
    ]);
  });

  it('names the grant that is missing, as a failure if no documents came, or else as a caution', () => {
    const grant = 'the user may not read them; grant the privilege find, as in the role read.';
    const all = courseOf({ judged: (['privilege', 'privilege'] as const).map(withDocuments) });
    expect(runFailures(all)[0]?.detail).toBe(`the documents of 2 of 2 collections could not be read: ${grant}`);
    expect(runCautions(all)).toEqual([]);
    const most = courseOf({ judged: (['privilege', 'read'] as const).map(withDocuments) });
    expect(runCautions(most)).toEqual([`The documents of 1 of 2 collections could not be read: ${grant}`]);
    const few = courseOf({ judged: (['privilege', 'read', 'read'] as const).map(withDocuments) });
    expect(runCautions(few)).toEqual([]);
    // They judge by other evidence, too.
    expect(runFailures({ ...all, checks: clusterChecks, ofCluster: judged })).toEqual([]);
  });

  it('names the first of several failures', () => {
    const fault = skipped('fault', { check: 'deep-nesting', detail: 'the check failed (TypeError); see --verbose.' });
    expect(runFailures(courseOf({ skipped: [fault] }))).toEqual([
      { reason: 'fault', detail: 'deep-nesting on shop.orders: the check failed (TypeError); see --verbose.' },
    ]);
    expect(runFailures(courseOf({ skipped: [fault, fault] }))[0]?.detail).toMatch(/^2 failures, such as deep-nesting/);
  });
});
