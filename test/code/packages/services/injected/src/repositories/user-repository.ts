import type { Db } from 'mongodb';
import { BaseRepository } from './base-repository.js';

export interface User {
  email: string;
  name: string;
  projects: string[];
}

/** What the services ask for; there is one that stores users. */
export interface Users {
  byEmail(email: string): Promise<User | null>;
  join(email: string, project: string): Promise<unknown>;
  membersOf(project: string): Promise<User[]>;
}

export class UserRepository extends BaseRepository<User> implements Users {
  static readonly collectionName = 'people';

  constructor(db: Db) {
    super(db, UserRepository.collectionName);
  }

  byEmail(email: string) {
    return this.findOne({ email });
  }

  join(email: string, project: string) {
    return this.collection.updateOne({ email }, { $addToSet: { projects: project } }, { upsert: true });
  }

  membersOf(project: string) {
    return this.find({ projects: project }, { sort: { name: 1 } });
  }
}
