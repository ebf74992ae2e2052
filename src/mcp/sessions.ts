// Conversations of clients that keep one over HTTP. Each has an id that the client sends along; those that nobody has
// used for a while are closed, and there are never more than so many.

type Session = { handle: (request: Request) => Promise<Response>; close: () => Promise<void> };

type Sessions = Session & { count: () => number };

const maxSessions = 100;
const idleMs = 30 * 60_000;

/** `open` makes a session and tells its id once the client has introduced itself. */
export function newSessions(open: (opened: (id: string) => void) => Promise<Session>): Sessions {
  const kept = new Map<string, { session: Session; usedAt: number }>(); // in order of last use

  const drop = async (id: string): Promise<void> => {
    const found = kept.get(id);
    kept.delete(id);
    await found?.session.close();
  };
  const makeRoom = async (): Promise<void> => {
    const late = Date.now() - idleMs;
    for (const [id, { usedAt }] of kept) {
      if (usedAt > late && kept.size < maxSessions) return;
      await drop(id);
    }
  };
  const begin = async (request: Request): Promise<Response> => {
    await makeRoom();
    let id: string | undefined;
    const session = await open((given) => {
      id = given;
    });
    try {
      return await session.handle(request);
    } finally {
      if (id === undefined) await session.close(); // no introduction, no session
      else kept.set(id, { session, usedAt: Date.now() });
    }
  };
  return {
    count: () => kept.size,
    async handle(request) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return await begin(request);
      const found = kept.get(id);
      if (!found) return Response.json(unknownSession, { status: 404 });
      kept.delete(id);
      if (request.method !== 'DELETE') {
        kept.set(id, { ...found, usedAt: Date.now() });
        return await found.session.handle(request);
      }
      const response = await found.session.handle(request);
      await found.session.close();
      return response;
    },
    async close() {
      await Promise.all([...kept.keys()].map(drop));
    },
  };
}

const unknownSession = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32001, message: 'There is no such session; begin a new one with initialize.' },
};
