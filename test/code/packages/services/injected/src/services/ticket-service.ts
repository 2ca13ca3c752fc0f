import { CommentRepository } from '../repositories/comment-repository.js';
import { TicketRepository, type Ticket } from '../repositories/ticket-repository.js';
import type { Users } from '../repositories/user-repository.js';

export class TicketService {
  constructor(
    private readonly tickets: TicketRepository,
    private readonly comments: CommentRepository,
    private readonly users: Users,
  ) {}

  async open(ticket: Ticket, email: string) {
    const user = await this.users.byEmail(email);
    if (user === null) await this.users.join(email, ticket.project);
    await this.tickets.save(ticket);
  }

  board(project: string) {
    return this.tickets.openOf(project);
  }

  async assign(id: number, assignee: string) {
    await this.tickets.update({ _id: id, state: 'open' }, { $set: { assignee } });
    return this.tickets.findOne({ _id: id });
  }

  async done(id: number) {
    await this.tickets.update({ _id: id }, { $set: { state: 'done' } });
  }

  async comment(ticket: number, author: string, text: string) {
    await this.comments.save({ ticket, author, text, writtenAt: new Date() });
    return this.comments.latest(ticket, 3);
  }

  async ofAssignee(assignee: string) {
    return this.tickets.find({ assignee }, { limit: 20 });
  }
}
