// A web server on loopback for the tools that go out, with pages, media and every kind of bad answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type WebServer = { base: string; host: string; seen: string[]; close(): Promise<void> };
export type Answers = Record<string, (response: ServerResponse, request: IncomingMessage) => void>;

/** Serves by path; a path without an answer is not found. */
export async function webServer(answers: Answers): Promise<WebServer> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    seen.push(request.url ?? '');
    const answer = answers[path];
    if (answer) answer(response, request);
    else response.writeHead(404).end('not here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { base: `http://${host}`, host, seen, close };
}

export function page(body: string): Answers[string] {
  return (response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>A page</title><body style="margin:0">${body}</body>`);
}
