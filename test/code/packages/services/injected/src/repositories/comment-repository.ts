import type { Db, ObjectId } from 'mongodb';
import { BaseRepository } from './base-repository.js';

export interface Comment {
  _id?: ObjectId;
  ticket: number;
  author: string;
  text: string;
  writtenAt: Date;
}

export class CommentRepository extends BaseRepository<Comment> {
  constructor(db: Db) {
    super(db, 'comments');
  }

  async latest(ticket: number, limit: number) {
    return this.collection.find({ ticket }, { sort: { writtenAt: -1 }, limit }).toArray();
  }

  authors(ticket: number) {
    return this.collection.distinct('author', { ticket });
  }
}
