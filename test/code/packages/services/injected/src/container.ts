import type { Db } from 'mongodb';
import { CommentRepository } from './repositories/comment-repository.js';
import { TicketRepository } from './repositories/ticket-repository.js';
import { UserRepository } from './repositories/user-repository.js';
import { ProjectService } from './services/project-service.js';
import { TicketService } from './services/ticket-service.js';

type Class<Of> = new (...given: never[]) => Of;

/** Makes each thing once, of what its constructor asks for. */
export class Container {
  private readonly made = new Map<Class<unknown>, unknown>();
  private readonly wanted = new Map<Class<unknown>, readonly Class<unknown>[]>([
    [TicketService, [TicketRepository, CommentRepository, UserRepository]],
    [ProjectService, [TicketRepository, UserRepository, CommentRepository]],
  ]);

  constructor(private readonly db: Db) {}

  get<Of>(wanted: Class<Of>): Of {
    const known = this.made.get(wanted);
    if (known !== undefined) return known as Of;
    const given = this.wanted.get(wanted)?.map((each) => this.get(each)) ?? [this.db];
    const made = new wanted(...(given as never[]));
    this.made.set(wanted, made);
    return made;
  }
}
