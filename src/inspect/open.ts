// The inspector on a listener of its own: this machine alone, a free port, a token in the address.
import { listen } from '../model/listen.ts';
import type { Listening } from '../model/listen.ts';
import { inspector, told } from './app.ts';
import type { InspectorOptions } from './app.ts';
import { webFolder } from './export.ts';

export type OpenInspector = Listening & {
  /** With the token behind the #, which no server and no log ever sees. */
  url: string;
};

/** Opens it; it runs until it is closed. */
export async function openInspector(
  options: Pick<InspectorOptions, 'store' | 'hide'> & { port?: number; web?: string },
): Promise<OpenInspector> {
  const { port, ...rest } = options;
  const { token, handle } = inspector({ web: webFolder(), ...rest });
  const listening = await listen(
    { host: '127.0.0.1', methods: ['GET', 'POST'], maxBytes: 64 * 1024, ...(port !== undefined && { port }) },
    { handle, turnAway: ({ status, message }) => told(status, message) },
  );
  return { ...listening, url: `http://127.0.0.1:${listening.port}/#token=${token}` };
}
