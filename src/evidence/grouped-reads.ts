import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Collection } from '../inventory/collection.js';
import type { SampleBounds } from '../profile/sampling/sample-plan.js';
import { CollectionGroups, type GroupedRun } from '../inventory/groups/collection-groups.js';
import { GroupedDocuments } from '../profile/grouped-documents.js';
import { GroupedStatistics } from '../inventory/groups/grouped-statistics.js';

/** What a run reads of many collections in one command. */
export class GroupedReads {
  readonly #groups: CollectionGroups;
  readonly statistics: GroupedStatistics;
  readonly documents: GroupedDocuments;

  constructor(reader: ClusterReader, bounds: SampleBounds, run: GroupedRun) {
    this.#groups = new CollectionGroups(reader.capabilities, run);
    this.statistics = new GroupedStatistics(this.#groups);
    this.documents = new GroupedDocuments(reader, this.#groups, this.statistics, bounds);
  }

  /** Forgets what was read of a group once all of its collections were read. */
  finish(collection: Collection): void {
    const group = this.#groups.finish(collection);
    if (group === null) return;
    this.statistics.forget(group);
    this.documents.forget(group);
  }
}
