// Compile-time: what a tool's schema says is known to its function, to whoever approves and to whoever watches.
// Checked by tsc; it has nothing to run.
import { z } from 'zod';
import { agentTool, defineTool, invokeTools, runAgent } from 'sightline';
import type { AnyTool, CallOf, ContextOf, FromJsonSchema, InputOf, Tool, ToolContext } from 'sightline';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Each of these fails to compile unless it is `true`. */
type Claim<Holds extends true> = Holds;

const search = {
  type: 'object',
  properties: {
    q: { type: 'string' },
    limit: { type: 'integer', minimum: 1 },
    exact: { type: 'boolean' },
    order: { enum: ['date', 'rank', 3, null] },
    kind: { const: 'web' },
    tags: { type: 'array', items: { type: 'string' } },
    where: { type: 'object', properties: { site: { type: ['string', 'null'] } }, required: ['site'] },
    after: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    other: { $ref: '#/$defs/other' },
    free: {},
  },
  required: ['q', 'where'],
} as const;

type Search = {
  q: string;
  where: { site: string | null };
  limit?: number;
  exact?: boolean;
  order?: 'date' | 'rank' | 3 | null;
  kind?: 'web';
  tags?: string[];
  after?: number | null;
  headers?: { readonly [key: string]: string };
  other?: unknown;
  free?: unknown;
};

type Nested<Depth extends readonly 0[]> = Depth['length'] extends 12
  ? { readonly type: 'string' }
  : { readonly type: 'array'; readonly items: Nested<[...Depth, 0]> };

export type Schemas = [
  Claim<Same<FromJsonSchema<typeof search>, Search>>,
  Claim<Same<InputOf<typeof search>, Search>>,
  Claim<Same<InputOf<{ readonly type: 'object' }>, { readonly [key: string]: unknown }>>,
  // what was built while the program ran says nothing before
  Claim<Same<InputOf<{ readonly [key: string]: unknown }>, { readonly [key: string]: unknown }>>,
  Claim<Same<InputOf<{ type: 'object'; properties: { a: { type: 'string' } }; required: string[] }>, { a?: string }>>,
  // deeper than anybody reads, it ends in unknown, not in an error
  Claim<Same<FromJsonSchema<Nested<[]>>, unknown[][][][][][][][]>>,
];

export async function typed(): Promise<unknown> {
  const chart = defineTool({
    name: 'chart',
    description: 'Draws.',
    input: z.object({ title: z.string() }),
    approve: (input) => input.title.length > 10,
    run: ({ title }) => title,
  });
  const plain = defineTool({
    name: 'plain',
    description: 'Plain.',
    input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    run: ({ n }) => n.toFixed(),
  });
  const clock = defineTool({ name: 'clock', description: 'Tells the time.', run: () => 'noon' });
  const mine = defineTool({
    name: 'mine',
    description: 'Lists what is mine.',
    input: z.object({ page: z.number() }),
    run: ({ page }, { context }: ToolContext<{ user: string }>) => `${context.user.trim()} ${page.toFixed()}`,
  });

  type Tools = [
    Claim<Same<typeof chart, Tool<'chart', { title: string }>>>,
    Claim<Same<typeof plain, Tool<'plain', { n: number }>>>,
    Claim<Same<typeof clock, Tool<'clock', { readonly [key: string]: unknown }>>>,
    Claim<Same<typeof mine, Tool<'mine', { page: number }, { user: string }>>>,
    Claim<Same<ContextOf<readonly [typeof chart, typeof mine]>, { user: string }>>,
  ];

  const lists: [readonly Tool[], readonly AnyTool[]] = [
    [chart, plain, clock],
    [chart, mine],
  ];

  // @ts-expect-error a tool that wants to know the user cannot run where nobody says who that is
  const untold: readonly Tool[] = [mine];

  function narrowed(call: CallOf<readonly [typeof chart, typeof plain]>): string {
    return call.name === 'chart' ? call.input.title : call.input.n.toFixed();
  }

  await invokeTools(
    { content: [] },
    {
      tools: [chart, mine],
      context: { user: 'ada' },
      approve: (call) => (call.name === 'mine' ? call.input.page < 3 : call.input.title),
    },
  );
  // @ts-expect-error the user is a string
  await invokeTools({ content: [] }, { tools: [mine], context: { user: 5 } });
  return [lists, untold, narrowed, {} as Tools];
}

/** The same through a whole run. */
export async function watched(): Promise<void> {
  const chart = defineTool({
    name: 'chart',
    description: 'Draws.',
    input: z.object({ title: z.string() }),
    run: ({ title }) => title,
  });
  const mine = defineTool({
    name: 'mine',
    description: 'Lists what is mine.',
    run: (_input, { context }: ToolContext<{ user: string }>) => context.user,
  });
  const helper = agentTool({
    name: 'helper',
    description: 'Helps.',
    agent: { model: 'openai/gpt-5.2', tools: [mine] },
  });
  const run = runAgent({
    model: 'openai/gpt-5.2',
    prompt: 'Go.',
    tools: [chart, helper],
    context: { user: 'ada' },
    approve: (call) => (call.name === 'chart' ? call.input.title.length < 10 : call.input.task),
    output: z.object({ done: z.boolean() }),
  });
  for await (const event of run) {
    if (event.type === 'call-start' && event.checked?.name === 'chart') event.checked.input.title.trim();
  }
  const result = await run;
  if (result.stop === 'end') result.output.done satisfies boolean;
  // @ts-expect-error a tool wants to know the user
  runAgent({ model: 'openai/gpt-5.2', prompt: 'Go.', tools: [mine] });
  // @ts-expect-error so does one of an agent that is a tool
  runAgent({ model: 'openai/gpt-5.2', prompt: 'Go.', tools: [helper] });
  const some: readonly Tool[] = [chart];
  runAgent({ model: 'openai/gpt-5.2', prompt: 'Go.', tools: some, approve: ({ name }) => name !== 'chart' });
}
