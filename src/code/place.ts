import type { FilterShape, ObjectShape, PipelineShape } from '../workload/shapes/shape.js';
import type { OperationKind } from '../workload/workload.js';
import type { SourceLine } from './source-line.js';

/** What a file is for: findings are about the application alone. */
export type FileRole = 'application' | 'test' | 'migration' | 'script' | 'client';

const ROLES: readonly (readonly [FileRole, RegExp])[] = [
  ['test', /(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e|fixtures?)\/|\.(?:test|spec|e2e)\.[^/]+$/i],
  ['migration', /(?:^|\/)(?:migrations?|seeds?|seeders?)\//i],
  ['script', /(?:^|\/)(?:scripts?|tools|bin)\//i],
  ['client', /(?:^|\/)(?:client|frontend|public)\//i],
];

/** What its folder and its name say. */
export function roleOf(file: string): FileRole {
  return ROLES.find(([, pattern]) => pattern.test(file))?.[0] ?? 'application';
}

/** A filter as the source writes it. */
export interface CodeFilter {
  readonly shape: FilterShape;
  /** Whether all its paths are known. */
  readonly closed: boolean;
  /** Paths that are only sometimes there. */
  readonly sometimes: ReadonlySet<string>;
}

/** An array that an update makes longer, or a map that it may give a further key. */
export interface CodePush extends SourceLine {
  readonly path: string;
  readonly operator: string;
  /** Whether `$slice` bounds it, or may. */
  readonly isCapped: boolean;
}

/** A line that is about a collection. */
interface Located extends SourceLine {
  readonly role: FileRole;
  readonly collection: string;
  readonly database: string | null;
}

/** A push with the collection that it is on. */
export type LocatedPush = CodePush & Located;

/** An update by operators as the source writes it. */
export interface CodeUpdate {
  /** Operators with their paths; `?` instead of paths that are not all known. */
  readonly shape: ObjectShape;
  /** Whether all its operators are known. */
  readonly closed: boolean;
  /** Operators, and paths of operators as in "$set total", that are only sometimes there. */
  readonly sometimes: ReadonlySet<string>;
  readonly pushes: readonly CodePush[];
}

/** A join as far as it is known, at the line of its stage. */
export interface CodeJoin extends SourceLine {
  readonly stage: string;
  readonly from: string | null;
  readonly localField: string | null;
  readonly foreignField: string | null;
}

/** The stages that join, with the names of their fields on both sides. */
export const JOINING: ReadonlyMap<string, readonly [local: string, foreign: string]> = new Map([
  ['$lookup', ['localField', 'foreignField']],
  ['$graphLookup', ['connectFromField', 'connectToField']],
]);

/** One way in which an operation can come out. What is absent is not known; null is known not to be there. */
export interface CodeShape {
  readonly filter?: CodeFilter;
  readonly sort?: ObjectShape | null;
  readonly limited?: boolean;
  readonly update?: CodeUpdate | 'replacement';
  readonly stages?: readonly CodeStage[];
  /** The stages as the server would record them, but for their database. */
  readonly pipeline?: PipelineShape;
  /** Those of pipelines within included. */
  readonly joins?: readonly CodeJoin[];
  /** Present if there may be further stages, anywhere. */
  readonly more?: true;
}

export interface CodeStage {
  /** `?` if it is not known. */
  readonly name: string;
  readonly filter?: CodeFilter;
  readonly join?: CodeJoin;
}

/** Calls as people count them. */
export const isListed = ({ unlisted }: Pick<Place, 'unlisted'>): boolean => unlisted === undefined;

/** What an operation is called on if its collection is not known. */
export const CAUSE_KINDS = ['package', 'name', 'parameter', 'this', 'result', 'other'] as const;

/** Packages that talk to several databases, MongoDB among them, in ways that are not read. */
export const NOT_READ = /^(?:typeorm|@nestjs\/typeorm|@prisma\/client|@mikro-orm\/.+)$/;

/** Why it is not known on which collection an operation is: what it is called on, and the name of a package that was not read. */
export interface Cause {
  readonly kind: (typeof CAUSE_KINDS)[number];
  readonly name: string | null;
}

/** A call in the source that sends an operation. */
export interface Place extends SourceLine {
  /** From 1; absent if the library sends it for a call that is no operation. */
  readonly column?: number;
  readonly role: FileRole;
  readonly method: string;
  readonly kinds: readonly OperationKind[];
  /** Null if it is not known. */
  readonly collection: string | null;
  /** The collections of which it is on one; absent unless these are all that may be meant. */
  readonly oneOf?: readonly string[];
  readonly database: string | null;
  /** Unknown if it is not known what the method is called on. */
  readonly library: 'driver' | 'mongoose' | 'meteor' | 'unknown';
  /** The ways in which it can come out; null if nothing is known of what it asks for. */
  readonly shapes: readonly CodeShape[] | null;
  /** Whether each way is known completely. */
  readonly complete: boolean;
  /** Why not all of it is known. */
  readonly because?: 'collection' | 'arguments';
  /** Why the collection is not known. */
  readonly cause?: Cause;
  /**
   * Present if it only may be meant: `implied` is sent by the library for a call that is no operation itself, such as `save()`;
   * `doubtful` may be no operation at all, as `x.find(y)`, and is never the certain one; a `wrapper` is the call within a
   * function whose callers are places of their own, for callers that nobody sees.
   */
  readonly unlisted?: 'implied' | 'doubtful' | 'wrapper';
  /** How many callers of the function around it were not followed; absent if all were. */
  readonly moreCallers?: number;
  /** How many calls of the function around it leave its collection open, too; absent if none does. */
  readonly openCallers?: number;
  /** The call within a wrapper that sends it, if the place is a call of the wrapper. */
  readonly through?: SourceLine;
  /** Whether it stands in a loop, or in what a method of lists calls for each element. */
  readonly repeats?: true;
}

/** An index that the source declares, all of whose key is known. */
export interface DeclaredIndex extends Located {
  /** Fields in order: 1, -1 or the name of another kind. */
  readonly key: Readonly<Record<string, number | string>>;
  readonly isUnique: boolean;
  readonly name: string | null;
}

/** A path that a schema declares, without marks for arrays on the way; null for the schema as a whole. */
export interface DeclaredPath extends Located {
  readonly path: string | null;
}
