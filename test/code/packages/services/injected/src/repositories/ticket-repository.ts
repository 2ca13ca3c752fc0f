import type { Db } from 'mongodb';
import { BaseRepository } from './base-repository.js';

export interface Ticket {
  _id: number;
  project: string;
  state: 'open' | 'done';
  assignee: string | null;
  votes: number;
  openedAt: Date;
}

export class TicketRepository extends BaseRepository<Ticket> {
  constructor(db: Db) {
    super(db, 'tickets');
  }

  openOf(project: string) {
    return this.find({ project, state: 'open' }, { sort: { openedAt: 1 }, limit: 50 });
  }

  // Nobody calls it any more.
  oldestOpen(project: string) {
    return this.collection.find({ project, state: 'open' }).sort({ openedAt: 1 }).limit(50).toArray();
  }

  countByAssignee(project: string) {
    return this.collection
      .aggregate([{ $match: { project } }, { $group: { _id: '$assignee', count: { $sum: 1 } } }])
      .toArray();
  }

  async vote(id: number, by: number) {
    const { modifiedCount } = await this.update({ _id: id }, { $inc: { votes: by } });
    return modifiedCount === 1;
  }
}
