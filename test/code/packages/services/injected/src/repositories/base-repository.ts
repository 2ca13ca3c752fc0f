import type { Collection, Db, Document, Filter, Sort, UpdateFilter } from 'mongodb';

export interface PageOptions {
  readonly sort?: Sort;
  readonly limit?: number;
}

/** What all repositories can. Each one says which collection it is about. */
export abstract class BaseRepository<Entity extends Document> {
  protected readonly collection: Collection<Entity>;

  constructor(db: Db, name: string) {
    this.collection = db.collection<Entity>(name);
  }

  findOne(filter: Filter<Entity>) {
    return this.collection.findOne(filter);
  }

  async find(filter: Filter<Entity>, options: PageOptions = {}) {
    return this.collection
      .find(filter)
      .sort(options.sort ?? {})
      .limit(options.limit ?? 0)
      .toArray();
  }

  async save(entity: Entity) {
    await this.collection.insertOne(entity as never);
  }

  update(filter: Filter<Entity>, change: UpdateFilter<Entity>) {
    return this.collection.updateOne(filter, change);
  }

  remove(filter: Filter<Entity>) {
    return this.collection.deleteMany(filter);
  }
}
