import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

export interface StoredComment {
  readonly id: number;
  body: string;
  /** The account that wrote it: of GitHub its login, of GitLab its number. */
  readonly by: string;
}

/** The account of the tokens. */
export const OWN_ACCOUNT = '41898282';

/** Stands in for the APIs of GitHub and GitLab that keep comments, by what their documentation says. */
export interface CommentHost {
  readonly api: string;
  comments: StoredComment[];
  /** As "POST /repos/a/b/issues/7/comments". */
  readonly asked: string[];
  readonly tokens: Set<string | undefined>;
  /** With which it answers. */
  status: number;
  close(): void;
}

export async function startCommentHost(): Promise<CommentHost> {
  const server = createServer((request, response) => {
    void (async () => {
      const value = await answer(request);
      response.writeHead(host.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host: CommentHost = {
    api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    comments: [],
    asked: [],
    tokens: new Set(),
    status: 200,
    close: () => void server.close(),
  };

  async function answer(request: IncomingMessage): Promise<unknown> {
    const { method = '', url = '', headers } = request;
    const { pathname, searchParams } = new URL(url, host.api);
    host.asked.push(`${method} ${pathname}`);
    host.tokens.add(headers.authorization ?? (headers['private-token'] as string));
    if (pathname === '/graphql') return { data: { viewer: { login: OWN_ACCOUNT } } };
    if (pathname === '/user') return { id: Number(OWN_ACCOUNT) };
    const { body = '' } = JSON.parse((await textOf(request)) || '{}') as { body?: string };
    if (method === 'GET') {
      const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('per_page'))];
      return host.comments.slice((page - 1) * size, page * size).map(({ id, body: text, by }) => {
        return {
          id,
          body: text,
          ...(pathname.startsWith('/repos') ? { user: { login: by } } : { author: { id: Number(by) } }),
        };
      });
    }
    if (method === 'POST') return host.comments.push({ id: 1_000 + host.comments.length, body, by: OWN_ACCOUNT });
    const stored = host.comments.find(({ id }) => pathname.endsWith(`/${id}`)) as StoredComment;
    stored.body = body;
    return stored;
  }
  return host;
}
