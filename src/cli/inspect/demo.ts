// The demo's conversation, sent to every model by a script and recorded: something to see without any key or history.
import { runAgent } from '../../agent/run.ts';
import { image } from '../../content/input.ts';
import type { Usage } from '../../message/message.ts';
import { answer } from '../../model/answer.ts';
import { script } from '../../model/script/script.ts';
import type { Answer } from '../../model/script/script.ts';
import { scriptedSend } from '../../model/script/send.ts';
import { memorySessions } from '../../session/store.ts';
import type { SessionStore } from '../../session/store.ts';
import { defineTool } from '../../tool/tool.ts';
import { demoTools, question } from '../demo/conversation.ts';
import { ordersPng } from '../demo/orders.ts';

const claude = 'anthropic/claude-sonnet-4-5';
const others = ['openai/gpt-5.2', 'openai-chat/gpt-4.1', 'gemini/gemini-2.5-pro', 'ollama/qwen3-vl', 'ollama/llama3.1'];

const reply = 'Sales came to 1,808 units. The third quarter was weak because the Lyon warehouse was closed.';
const system = 'You explain figures to people who have little time.';

function usage(inputTokens: number, cachedTokens: number): Usage {
  return { inputTokens, cachedTokens, writtenTokens: inputTokens - cachedTokens, outputTokens: 42 };
}

function say(...answers: Answer[]): ReturnType<typeof scriptedSend> {
  return scriptedSend(script(answers));
}

/** A large screenshot that its model refuses: it is sent again smaller. */
async function healedSession(store: SessionStore): Promise<void> {
  const asked = 'Which orders are the latest ones?';
  const session = await store.create({ title: asked });
  const browse = defineTool({
    name: 'screenshot',
    description: 'Takes a picture of a page.',
    input: { type: 'object', properties: { page: { type: 'string' } } },
    run: () => image(ordersPng(), { name: 'orders.png' }),
  });
  const refusal = 'messages.2.content.0.content.0.image.source.base64.data: image dimensions exceed the maximum';
  const send = say(
    { calls: [{ name: 'screenshot', input: { page: 'orders' } }], usage: usage(380, 0) },
    { error: { status: 400, message: refusal } },
    { text: 'Six orders are 18 days late; the oldest one is 10407, for Malmö.', usage: usage(1490, 380) },
  );
  await runAgent({ model: claude, session, tools: [browse], system, prompt: asked, send });
  await session.close();
}

/** Sessions in memory: one that was healed, one that several models got, with a last question that broke its prefix. */
export async function demoSessions(): Promise<SessionStore> {
  const store = memorySessions();
  await healedSession(store);
  const session = await store.create({ title: question });
  const tools = demoTools();
  const calls = ['draw_chart', 'open_report'].map((name) => ({ name, input: { year: 2026 } }));
  const first = say({ calls, usage: usage(412, 0) }, { text: reply, usage: usage(2720, 412) });
  await runAgent({ model: claude, session, tools, system, prompt: question, send: first });
  const { assets, recorder } = session;
  const transcript = await session.transcript();
  const asked = { ...transcript, messages: transcript.messages.slice(0, -1) };
  for (const model of others) {
    const how = {
      model,
      assets,
      send: say({ text: reply, usage: { inputTokens: 2640, outputTokens: 42 } }),
      readPictures: false,
      ...(recorder && { recorder }),
    };
    for await (const event of answer(asked, how)) void event;
  }
  const next = say({ text: 'Reopen it.', usage: usage(2806, 2720) });
  await runAgent({ model: claude, session, tools, system, prompt: 'And what should we do about Lyon?', send: next });
  const late = say({ text: 'Before the winter.', usage: usage(2861, 0) });
  await runAgent({ model: claude, session, tools, system: `${system} It is 16:09.`, prompt: 'When?', send: late });
  await session.close();
  return store;
}
