import type { AnyCheck } from '../check.js';
import type { UnderstoodCode } from '../code/understood-code.js';
import type { EvidenceRun, RunEnd } from '../evidence/evidence-run.js';
import type { PieceName } from '../evidence/source.js';
import type { Skipped } from '../finding.js';
import { piecesNeeded } from '../findings/evidence-plan.js';
import { mayMatchIn } from '../inventory/namespace-glob.js';
import type { Evidence } from '../presence.js';

/** What was asked for. */
interface Asked {
  readonly checks: readonly AnyCheck[];
  readonly include: readonly string[];
}

/** Without the source, findings have no lines, and what compares with it is not judged. */
export function unreadSource(source: Evidence<UnderstoodCode> | null, ofCode: readonly AnyCheck[]): Skipped[] {
  if (source === null || source.present) return [];
  const ids = ofCode.length === 0 ? ['*'] : ofCode.map(({ id }) => id);
  return ids.map((check) => ({ check, reason: source.reason, detail: source.detail }));
}

/**
 * What the run could not read beforehand: databases that could not be listed, how collections are sharded, evidence that
 * checks share; and the history if it could not be written.
 */
export function unreadEntries(run: EvidenceRun, { gaps, historyFault }: RunEnd, options: Asked): Skipped[] {
  const { checks } = options;
  return [
    ...unknownNames(run, checks),
    ...unlistedEntries(run, options),
    ...unfinishedEntry(run),
    ...unknownSharding(run, checks),
    ...gaps.flatMap(({ name, gap: { reason, detail } }) =>
      idsOfChecksOn(name, checks).map((check) => ({ check, reason, detail })),
    ),
    ...(historyFault === null ? [] : unrecordedEntries(historyFault, checks)),
  ];
}

/** What checks conclude from the form of names, which pseudonyms lack. */
function unknownNames({ hasPseudonyms = false }: EvidenceRun, checks: readonly AnyCheck[]): Skipped[] {
  if (!hasPseudonyms) return [];
  return checks.flatMap(({ id, lostByPseudonyms: lost }): Skipped[] => {
    const detail = `the evidence holds pseudonyms: ${lost}`;
    return lost === undefined ? [] : [{ check: id, reason: 'insufficient', detail }];
  });
}

/** What of a file was not read any more. */
function unfinishedEntry({ unfinished }: EvidenceRun): Skipped[] {
  const absence = unfinished?.() ?? null;
  return absence === null ? [] : [{ check: '*', reason: absence.reason, detail: absence.detail }];
}

/** What could not be listed, but for the databases that the globs leave out anyway. */
function unlistedEntries({ inventory: { unlisted } }: EvidenceRun, { include }: Pick<Asked, 'include'>): Skipped[] {
  const isWanted = (database: string) => include.length === 0 || include.some((glob) => mayMatchIn(glob, database));
  const wanted = unlisted.filter(({ database }) => database === undefined || isWanted(database));
  return wanted.map(({ database, absent: unread }) => ({
    check: '*',
    ...(database !== undefined && { namespace: `${database}.*` }),
    reason: unread.reason,
    detail: unread.detail,
  }));
}

/** If the config database can't be read, it is not known of any collection whether it is sharded. */
function unknownSharding({ inventory: { shardingUnknown } }: EvidenceRun, checks: readonly AnyCheck[]): Skipped[] {
  if (shardingUnknown === undefined) return [];
  const { reason, detail } = shardingUnknown;
  const affected = checks.filter(({ appliesWhere }) => appliesWhere === 'sharded');
  return affected.map(({ id }) => ({ check: id, reason, detail }));
}

function unrecordedEntries(detail: string, checks: readonly AnyCheck[]): Skipped[] {
  const ids = idsOfChecksOn('growth', checks);
  return (ids.length === 0 ? ['*'] : ids).map((check) => ({ check, reason: 'fault', detail }));
}

function idsOfChecksOn(name: PieceName, checks: readonly AnyCheck[]): readonly string[] {
  return checks.filter((check) => piecesNeeded([check]).has(name)).map(({ id }) => id);
}
