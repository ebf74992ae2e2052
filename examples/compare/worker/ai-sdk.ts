import { createOpenAI } from '@ai-sdk/openai';
import { generateText } from 'ai';

const worker = {
  async fetch(request: Request, env: { OPENAI_API_KEY: string; OPENAI_BASE_URL: string }): Promise<Response> {
    const chart = new Uint8Array(await request.arrayBuffer());
    const openai = createOpenAI({ apiKey: env.OPENAI_API_KEY, baseURL: env.OPENAI_BASE_URL });
    const call = { toolCallId: 'a', toolName: 'chart' };
    const output = { type: 'text' as const, value: 'See the picture below.' };
    const { text } = await generateText({
      model: openai.chat('gpt-4.1'),
      messages: [
        { role: 'user', content: 'How were sales?' },
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
        // Results of Chat Completions are text, so the picture follows in a message of the user.
        { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: chart }] },
      ],
    });
    return new Response(text);
  },
};
export default worker;
