// The demo's conversation, sent to every model by a script and recorded: something to see without any key or history.
import { runAgent } from '../../agent/run.ts';
import type { Usage } from '../../message/message.ts';
import { answer } from '../../model/answer.ts';
import { script } from '../../model/script/script.ts';
import type { Answer } from '../../model/script/script.ts';
import { scriptedSend } from '../../model/script/send.ts';
import { memorySessions } from '../../session/store.ts';
import type { SessionStore } from '../../session/store.ts';
import { demoTools, question } from '../demo/conversation.ts';

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

/** Sessions in memory: one conversation that several models got, and a last question that broke its prefix. */
export async function demoSessions(): Promise<SessionStore> {
  const store = memorySessions();
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
