import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { openai } from '@ai-sdk/openai';
import { generateText } from 'ai';
import type { ModelMessage } from 'ai';

const home = process.env['SIGHTLINE_HOME'] ?? '.sightline';
await mkdir(home, { recursive: true });
const messagesOf = async (session: string): Promise<ModelMessage[]> =>
  JSON.parse(await readFile(`${home}/${session}`, 'utf8').catch(() => '[]')) as ModelMessage[];

async function ask(session: string, prompt: string): Promise<void> {
  const messages: ModelMessage[] = [...(await messagesOf(session)), { role: 'user', content: prompt }];
  const { text, responseMessages } = await generateText({ model: openai('gpt-5.2'), messages });
  await writeFile(`${home}/${session}`, JSON.stringify([...messages, ...responseMessages]));
  console.log(text);
}

await ask('first', 'My name is Ada.');
await copyFile(`${home}/first`, `${home}/fork`);
await ask('first', 'Who am I?');
await ask('fork', 'Who am I, in German?');
console.log((await messagesOf('first')).length, (await messagesOf('fork')).length);
