import OpenAI from 'openai';
import { sightlineFetch } from 'sightline/fetch';

const fetch = sightlineFetch();

const worker = {
  async fetch(request: Request, env: { OPENAI_API_KEY: string; OPENAI_BASE_URL: string }): Promise<Response> {
    const chart = btoa(String.fromCharCode(...new Uint8Array(await request.arrayBuffer())));
    const client = new OpenAI({ apiKey: env.OPENAI_API_KEY, baseURL: env.OPENAI_BASE_URL, fetch });
    const call = { id: 'a', type: 'function' as const, function: { name: 'chart', arguments: '{}' } };
    const answer = await client.chat.completions.create({
      model: 'gpt-4.1',
      messages: [
        { role: 'user', content: 'How were sales?' },
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content: JSON.stringify({ chart }) },
      ],
    });
    return new Response(answer.choices[0]?.message.content);
  },
};
export default worker;
