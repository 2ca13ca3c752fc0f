import { placesOf } from '../code/explains.js';
import { isMeantBy } from '../code/meant-namespace.js';
import type { Place } from '../code/place.js';
import { isSamePath } from '../code/same-path.js';
import { distinctLines, FOREIGN_LINE, lineText, type SourceLine, UNREAD_LINE } from '../code/source-line.js';
import type { UnderstoodCode } from '../code/understood-code.js';
import type { Finding, FindingLocation } from '../finding.js';
import { inWords, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import type { IndexDescription } from '../inventory/collection.js';
import { databaseOf, nameOf } from '../namespace.js';
import { compareTexts } from '../text/compare-texts.js';
import type { Operation } from '../workload/workload.js';
import { separated } from './further-reasons.js';
import type { StampedFinding } from './stamp.js';

/** Lines that are named of one thing; of more, only how many there are. */
export const MOST_NAMED = 3;

/** In which order: first what to change. */
const KINDS: readonly FindingLocation['of'][] = ['push', 'join', 'operation', 'index', 'schema'];

/** What the source is held against. */
export interface LintedNamespaces {
  readonly namespaces: readonly string[];
  /** Empty if they are unknown. */
  readonly indexesOf: (namespace: string) => readonly IndexDescription[];
}

/** A line that may be meant. */
type Spot = SourceLine & Pick<Place, 'role' | 'unlisted'>;

interface Located extends Pick<Finding, 'locations' | 'furtherPlaces'> {
  /** Lines that add to an array and leave it without a bound. */
  readonly uncapped?: readonly string[];
}

/**
 * The findings with the lines of the source that they are about. A line is certain only if it is the only one that nothing
 * contradicts; two or three are alternatives; more are counted.
 */
export function withLocations(
  findings: readonly Finding[],
  stamped: readonly StampedFinding[],
  code: UnderstoodCode,
  linted: LintedNamespaces,
): Finding[] {
  const byFingerprint = groupedBy(stamped, ({ fingerprint }) => fingerprint);
  const sources = new SourceLines(code, linted);
  return findings.map((finding) => {
    const all = separated(finding)
      .flatMap(({ fingerprint }) => byFingerprint.get(fingerprint) ?? [])
      .flatMap((each) => sources.of(each));
    const locations = KINDS.flatMap((kind) =>
      distinctLines(all.flatMap(({ locations: found = [] }) => found.filter(({ of }) => of === kind))),
    );
    const uncapped = new Set(all.flatMap((each) => each.uncapped ?? []));
    const furtherPlaces = Math.max(0, ...all.map((each) => each.furtherPlaces ?? 0));
    return {
      ...finding,
      ...(uncapped.size > 0 && { message: `${finding.message} ${uncappedText([...uncapped])}` }),
      ...(locations.length > 0 && { locations }),
      ...(furtherPlaces > 0 && { furtherPlaces }),
    };
  });
}

class SourceLines {
  private readonly explained = new Map<Operation, readonly Place[]>();

  constructor(
    private readonly code: UnderstoodCode,
    private readonly linted: LintedNamespaces,
  ) {}

  of(finding: StampedFinding): readonly Located[] {
    const index = this.linted.indexesOf(finding.namespace).find(({ name }) => name === finding.path);
    return [
      ...(finding.operations ?? []).map((operation) => this.ofOperation(operation, finding)),
      ...(index === undefined ? this.ofField(finding) : [this.declared(finding.namespace, index)]),
      ...(finding.proposes ?? []).map(({ namespace, key }) => this.inSchema(namespace, Object.keys(key)[0] ?? '')),
      // Last: what a check itself says of a line holds.
      ...(finding.locations === undefined ? [] : [{ locations: finding.locations }]),
    ];
  }

  private ofOperation(operation: Operation, { namespace, path, pathIs }: StampedFinding): Located {
    const explained = this.explained.get(operation) ?? placesOf(operation.shape, this.code.places);
    this.explained.set(operation, explained);
    const sentFrom = operation.sentFrom ?? [];
    const named = this.named(sentFrom);
    // Executions whose comments name no line may be from elsewhere.
    const areAll = sentFrom.length > 0 && !sentFrom.includes(null) && !sentFrom.includes(UNREAD_LINE);
    const inFiles = explained.filter(({ file }) => sentFrom.includes(file));
    const isNamed = (place: Place) => inFiles.includes(place) || named.some((spot) => isSameLine(spot, place));
    const places = areAll ? explained.filter(isNamed) : explained;
    const isElsewhere =
      sentFrom.includes(UNREAD_LINE) ||
      sentFrom.includes(FOREIGN_LINE) ||
      (named.length === 0 && places.some((place) => this.mayMeanOthers(place)));
    const foreign = pathIs === undefined ? path : null;
    const joins = places.map((place) => joinsTo(place, nameOf(namespace), foreign));
    const isJoin = (spot: Spot) => places.some((place, at) => isSameLine(place, spot) && joins[at]?.length !== 0);
    const areJoins =
      operation.shape.namespace !== namespace && joins.some((lines) => lines.length > 0) && named.every(isJoin);
    if (!areJoins) return located('operation', [...named, ...(areAll ? inFiles : places)], isElsewhere);
    return located(
      'join',
      places.flatMap((place, at) => (joins[at]?.length !== 0 ? (joins[at] ?? []) : [place])),
      isElsewhere,
    );
  }

  /** One of several databases may belong to an application whose source was not read. */
  private mayMeanOthers({ collection, database }: Place): boolean {
    if (database !== null) return false;
    const meant = this.linted.namespaces.filter((one) => collection === null || nameOf(one) === collection);
    return new Set(meant.map(databaseOf)).size > 1;
  }

  /** The lines that its comments name. */
  private named(sentFrom: readonly (string | null)[]): readonly Spot[] {
    const spots = sentFrom.flatMap((text) => {
      const [, file = '', line] = /^(.+):(\d+)$/.exec(text ?? '') ?? [];
      const source = this.code.byName.get(file);
      return source === undefined ? [] : [{ file, line: Number(line), role: source.role }];
    });
    return spots.toSorted((one, other) => compareTexts(one.file, other.file) || one.line - other.line);
  }

  private ofField({ namespace, path, pathIs, causedBy }: StampedFinding): readonly Located[] {
    const field = (causedBy ?? path)?.replaceAll('[]', '');
    if (field === undefined || pathIs !== undefined) return [];
    const bare = withoutKeys(field);
    const pushes = this.code.pushes
      .filter((push) => push.role === 'application' && isMeantBy(namespace, [push]))
      .filter((push) => withoutKeys(push.path) === bare || isSamePath(push.path, field));
    const isUncapped = (push: (typeof pushes)[number]) => !push.isCapped && withoutKeys(push.path) === push.path;
    const uncapped = causedBy === undefined ? [] : pushes.filter(isUncapped).map(lineText);
    return [{ ...located('push', pushes), uncapped }, this.inSchema(namespace, bare)];
  }

  private declared(namespace: string, { key }: IndexDescription): Located {
    const written = JSON.stringify(Object.entries(key));
    return located(
      'index',
      this.code.indexes.filter(
        (index) => isMeantBy(namespace, [index]) && JSON.stringify(Object.entries(index.key)) === written,
      ),
    );
  }

  private inSchema(namespace: string, path: string): Located {
    const own = this.code.paths.filter((declared) => isMeantBy(namespace, [declared]));
    const exact = own.filter((declared) => declared.path === path);
    return located('schema', exact.length > 0 ? exact : own.filter((declared) => declared.path === null));
  }
}

/** It supports what the documents show. */
function uncappedText(lines: readonly string[]): string {
  const named = lines.length > MOST_NAMED ? plural(lines.length, 'place') : inWords(lines);
  return `${named} ${lines.length === 1 ? 'adds' : 'add'} to it without \`$slice\`.`;
}

/** The path of a map: the object that holds its keys. */
function withoutKeys(path: string): string {
  return path.replace(/(?:\.\*)+$/, '');
}

function joinsTo({ shapes, role }: Place, collection: string, path: string | null): readonly Spot[] {
  return (shapes ?? []).flatMap(({ joins = [] }) =>
    joins
      .filter(
        ({ from, foreignField }) =>
          from === collection && (path === null || foreignField === null || foreignField === path),
      )
      .map(({ file, line }) => ({ file, line, role })),
  );
}

/**
 * Places of tests and scripts may be meant, too, and are not named.
 *
 * @param isElsewhere whether others than these were sent from code that was not read
 */
function located(of: FindingLocation['of'], spots: readonly Spot[], isElsewhere = false): Located {
  const lines = distinctLines(spots);
  const own = lines.filter(({ role }) => role === 'application');
  if (own.length === 0) return {};
  if (lines.length > MOST_NAMED) return of === 'schema' ? {} : { furtherPlaces: own.length };
  return {
    locations: own.map(({ file, line, unlisted }) => ({
      file,
      line,
      of,
      certain: lines.length === 1 && unlisted !== 'doubtful' && !isElsewhere,
    })),
  };
}

function isSameLine(one: SourceLine, other: SourceLine): boolean {
  return one.file === other.file && one.line === other.line;
}
