import { CommentRepository } from '../repositories/comment-repository.js';
import { TicketRepository } from '../repositories/ticket-repository.js';
import { UserRepository } from '../repositories/user-repository.js';

export class ProjectService {
  private readonly comments: CommentRepository;

  constructor(
    private readonly tickets: TicketRepository,
    private readonly users: UserRepository,
    comments: CommentRepository,
  ) {
    this.comments = comments;
  }

  async overview(project: string) {
    const members = await this.users.membersOf(project);
    const counts = await this.tickets.countByAssignee(project);
    return { members, counts };
  }

  async participants(ticket: number) {
    const authors = await this.comments.authors(ticket);
    return this.users.find({ email: { $in: authors } });
  }

  async close(project: string) {
    const open = await this.tickets.find({ project, state: 'open' });
    await this.tickets.remove({ project, state: 'done' });
    for (const { _id } of open) await this.comments.remove({ ticket: _id });
  }
}
