import { MongoClient } from 'mongodb';
import { Container } from './container.js';
import { ProjectService } from './services/project-service.js';
import { TicketService } from './services/ticket-service.js';

export async function withApp(uri: string, use: (tickets: TicketService, projects: ProjectService) => Promise<void>) {
  const client = await new MongoClient(uri).connect();
  const container = new Container(client.db());
  await use(container.get(TicketService), container.get(ProjectService));
  await client.close();
}
