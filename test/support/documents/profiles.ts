import { BSON, type Document } from 'mongodb';
import type { DocumentProfile, PathProfile } from '../../../src/profile/document-profile.js';
import { DocumentProfiler } from '../../../src/profile/document-profiler.js';
import type { ProfileLimits } from '../../../src/profile/path-tree.js';

/** The profile of documents given as their BSON. */
export function profileOfBytes(documents: Iterable<Uint8Array>, limits: Partial<ProfileLimits> = {}): DocumentProfile {
  const profiler = new DocumentProfiler(limits);
  for (const document of documents) profiler.add(document);
  return profiler.profile();
}

/** The profile of documents given as objects. */
export function profileOf(documents: readonly Document[], limits: Partial<ProfileLimits> = {}): DocumentProfile {
  return profileOfBytes(
    documents.map((document) => BSON.serialize(document)),
    limits,
  );
}

/** What was measured at one path, which must be there. */
export function at(profile: DocumentProfile, path: string): PathProfile {
  const found = profile.paths.find((candidate) => candidate.path === path);
  if (found === undefined)
    throw new Error(`No path ${path} among ${profile.paths.map((each) => each.path).join(', ')}.`);
  return found;
}

/** The paths of a profile, in its order. */
export function pathsOf(profile: DocumentProfile): string[] {
  return profile.paths.map(({ path }) => path);
}

/** An object with so many fields, by their index. */
export function objectOf(count: number, field: (index: number) => readonly [string, unknown]): Document {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => field(index)));
}
