// What a run writes down while it goes on. Each line is on disk before the run goes on, so that whatever ends it, the
// next one goes on from there. A run without a session writes nothing.
import { canonicalJson } from '../content/json.ts';
import type { Message, Usage } from '../message/message.ts';
import type { EntryId } from '../session/entry.ts';
import type { Session } from '../session/session.ts';
import type { ToolSpec } from '../tool/tool.ts';
import type { Ledger } from '../window/ledger.ts';
import type { Summary } from '../window/summary.ts';

export type Journal = {
  begin: (setup: { system?: string | undefined; tools: readonly ToolSpec[] }) => Promise<void>;
  /** Gives the entry of each; those of a key that is known are those of the first time. */
  messages: (messages: readonly Message[], key?: string) => Promise<readonly EntryId[]>;
  accepted: (ledger: Ledger) => Promise<void>;
  /** What is written under a key that is known is there already. */
  spent: (model: string, usage: Usage, cost: number | undefined, key?: string) => Promise<void>;
  summary: (summary: Summary) => Promise<void>;
};

export function journalOf(session: Session | undefined): Journal {
  if (!session)
    return { begin: nothing, messages: async () => [], accepted: nothing, spent: nothing, summary: nothing };
  return {
    begin: async ({ system, tools }) => {
      const specs = tools.map(({ name, description, inputSchema, hosted }) => ({
        name,
        description,
        inputSchema,
        ...(hosted && { hosted }),
      }));
      const [before] = await session.entries({ types: ['setup'], newest: 1 });
      const setup = { ...(system !== undefined && { system }), tools: specs };
      const known = before?.type === 'setup' ? { system: before.system, tools: before.tools } : {};
      if (canonicalJson(known) !== canonicalJson(setup)) await session.append({ type: 'setup', ...setup });
    },
    messages: (messages, key) =>
      session.appendAll(
        messages.map((message) => ({ type: 'message', message })),
        undefined,
        key,
      ),
    accepted: async (ledger) => void (await session.append({ type: 'ledger', ledger })),
    spent: async (model, usage, cost, key) => {
      const entry = { type: 'usage', model, usage, ...(cost !== undefined && { cost }) } as const;
      await session.appendAll([entry], undefined, key);
    },
    summary: async ({ text, covers }) => void (await session.append({ type: 'summary', text, covers })),
  };
}

async function nothing(): Promise<void> {
  // there is nowhere to write
}
