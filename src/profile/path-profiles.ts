import { formatCount } from '../format.js';
import { typeCounts } from './bson-types.js';
import { distributionOf } from './distribution.js';
import type { ObjectProfile, PathProfile } from './document-profile.js';
import { isWideSchema } from './folding.js';
import type { LengthSeries } from './growth-sample/growth-sample.js';
import type { PathFields, PathNode } from './path-node.js';

/** Names that would read as something else within a path; they are written as `["a.b"]`. */
const AMBIGUOUS_NAME = /^$|^\*$|[.[\]]/;

export function pathOf(node: PathNode): string {
  if (node.mergedInto !== null) return pathOf(node.mergedInto);
  if (node.parent === null) return '';
  const before = pathOf(node.parent);
  if (node.step === 'element') return `${before}[]`;
  const name = node.step === 'any-field' ? '*' : node.name.toString();
  if (node.step === 'field' && AMBIGUOUS_NAME.test(name)) return `${before}[${JSON.stringify(name)}]`;
  return before === '' ? name : `${before}.${name}`;
}

export interface PathProfiles {
  readonly paths: PathProfile[];
  readonly limits: string[];
}

export function pathProfiles(root: PathNode, totalBytes: number): PathProfiles {
  const profiles: PathProfiles = { paths: [], limits: [] };
  addBelow(profiles, root, null, root.documents, totalBytes);
  return profiles;
}

function addBelow(
  profiles: PathProfiles,
  node: PathNode,
  path: string | null,
  documents: number,
  totalBytes: number,
): void {
  const { object, element } = node;
  const add = (child: PathNode, parents: number) => {
    const profile = pathProfile(child, path, Math.min(child.documents, documents), parents, totalBytes);
    profiles.paths.push(profile);
    addBelow(profiles, child, profile.path, profile.documents, totalBytes);
  };
  if (object !== null) {
    for (const field of object.named) add(field, object.counts.count);
    if (object.rest !== null && isWideSchema(object)) {
      const where = path === null ? 'Documents' : `Objects at ${path}`;
      profiles.limits.push(
        `${where} have more than ${formatCount(object.named.length)} fields; the others were not profiled one by one.`,
      );
    } else if (object.rest !== null) {
      add(object.rest, object.counts.count);
    }
  }
  if (element !== null) add(element, element.holders);
}

function pathProfile(
  node: PathNode,
  parent: string | null,
  documents: number,
  parents: number,
  totalBytes: number,
): PathProfile {
  const occurrences = node.occurrences;
  const values = node.values.facts();
  return {
    path: pathOf(node),
    parent,
    depth: node.depth,
    occurrences,
    documents,
    presence: node.holders / parents,
    duplicates: node.step === 'field' ? occurrences - node.holders : 0,
    types: typeCounts(node.types),
    bytes: node.bytes,
    shareOfBytes: node.bytes / totalBytes,
    ...(node.array !== null && { array: node.array.profile(node.element?.types ?? []) }),
    ...(node.object !== null && { object: objectProfile(node.object) }),
    ...(values !== undefined && { values }),
  };
}

export function objectProfile(object: PathFields): ObjectProfile {
  return {
    fields: distributionOf(object.counts),
    distinctFields: object.distinctNames,
    folded: object.namesAreData,
    namePattern: object.pattern,
  };
}

export function lengthsByPath(root: PathNode): Map<string, LengthSeries> {
  const lengths = new Map<string, LengthSeries>();
  const visit = (node: PathNode): void => {
    if (node.array !== null && node.array.lengthSeries !== null) lengths.set(pathOf(node), node.array.lengthSeries);
    if (node.element !== null) visit(node.element);
    if (node.object === null) return;
    node.object.named.forEach(visit);
    if (node.object.rest !== null && !isWideSchema(node.object)) visit(node.object.rest);
  };
  visit(root);
  return lengths;
}
