import type { ClusterEvidenceName, CollectedTracedEvidence } from '../../evidence/cluster-evidence.js';
import { absent, type Absent, type Evidence, present } from '../../presence.js';
import type { ComparedReference } from '../../references/reference-integrity.js';
import type { DatabaseMap } from './database-map.js';
import { inProduction } from './joined-collection.js';
import { joinedWorkload, type KeyOf } from './joined-workload.js';

interface JoinedScope {
  readonly map: DatabaseMap;
  /** True of a namespace of here that production has too. */
  isInProduction(namespace: string): boolean;
  readonly keyOf: KeyOf;
}

/** That of production about what it has, under the names of here, and that of here about the rest. */
export function joinedClusterEvidence(
  here: CollectedTracedEvidence,
  there: CollectedTracedEvidence,
  scope: JoinedScope,
): CollectedTracedEvidence {
  const joined = <Value>(
    own: Evidence<Value> | undefined,
    theirs: Evidence<Value> | undefined,
    join: (own: Value | null, theirs: Value) => Value,
  ): Evidence<Value> | undefined => {
    if (own === undefined) return undefined;
    if (theirs?.present !== true) return inProduction(theirs ?? NOT_IN_FILE);
    return present(join(own.present ? own.value : null, theirs.value));
  };
  const pieces: { readonly [Name in ClusterEvidenceName]: CollectedTracedEvidence[Name] | undefined } = {
    server: joined(here.server, there.server, (_, theirs) => theirs),
    oplogWindow: joined(here.oplogWindow, there.oplogWindow, (_, theirs) => theirs),
    references: joined(here.references, there.references, (own, theirs) => ({
      references: joinedItems(own?.references ?? [], theirs.references, ['namespace', 'target'], scope),
      gaps: joinedGaps(own, theirs),
    })),
    referenceIntegrity: joined(here.referenceIntegrity, there.referenceIntegrity, (own, theirs) => ({
      references: joinedItems(
        own?.references ?? [],
        theirs.references.map((each) => ({ ...each, furtherTargets: targetsHere(each, scope) })),
        ['namespace', 'target'],
        scope,
      ),
      gaps: joinedGaps(own, theirs),
    })),
    children: joined(here.children, there.children, (own, theirs) => ({
      families: joinedItems(own?.families ?? [], theirs.families, ['child', 'parent'], scope),
      gaps: joinedGaps(own, theirs),
    })),
    workload: here.workload && joinedWorkload(here.workload, there.workload ?? NOT_IN_FILE, scope.map, scope.keyOf),
  };
  return Object.fromEntries(Object.entries(pieces).filter(([, piece]) => piece !== undefined));
}

const NOT_IN_FILE = absent(
  'insufficient',
  'its evidence file was collected for other checks. Collect it again with the present configuration.',
);

function targetsHere({ furtherTargets }: ComparedReference, { map }: JoinedScope): readonly string[] {
  return furtherTargets.flatMap((namespace) => map.toHere(namespace) ?? []);
}

type WithGaps = { readonly gaps: readonly Absent[] };

function joinedGaps(own: WithGaps | null, theirs: WithGaps): readonly Absent[] {
  return [...theirs.gaps.map(inProduction), ...(own?.gaps ?? [])];
}

/** @param names the fields that name collections, the one that an item is about first */
function joinedItems<Item extends object>(
  here: readonly Item[],
  there: readonly Item[],
  names: readonly [keyof Item, keyof Item],
  { map, isInProduction }: JoinedScope,
): readonly Item[] {
  const renamed = there.flatMap((item): Item[] => {
    const given = names.map((name) => [name, map.toHere(item[name] as string)] as const);
    return given.some(([, namespace]) => namespace === null) ? [] : [{ ...item, ...Object.fromEntries(given) }];
  });
  return [...renamed, ...here.filter((item) => !isInProduction(item[names[0]] as string))];
}
