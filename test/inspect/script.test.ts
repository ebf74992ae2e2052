// A script in every field of a record, keys of JSON included: what the page draws of it is words, in every view and in the
// exported file.
import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspector } from '../../src/inspect/app.ts';
import type { Html } from '../../src/page/html.ts';
import { againstHtml, answerHtml, figureAt, jsonHtml, sawHtml } from '../../src/page/request.ts';
import { placedAmong } from '../../src/page/standing.ts';
import { turnHtml } from '../../src/page/timeline.ts';
import type { TimelineTurn } from '../../src/page/timeline.ts';
import type { SentView } from '../../src/page/view.ts';
import { keptBody } from '../../src/record/body.ts';
import type { Ended, RequestRecord } from '../../src/record/record.ts';
import type { RequestRow } from '../../src/record/table.ts';
import { memorySessions } from '../../src/session/store.ts';
import type { SessionStore } from '../../src/session/store.ts';

const evil = `</script></title><script>alert(1)</script><img src=x onerror=alert(2)>"' onload='x \`\${a}\``;
const host = '127.0.0.1:4000';
const conversation = `talk ${evil}`;
let store: SessionStore;

/** Tags that no fragment of ours has, and attributes that run something. */
function running(html: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (/^(?:script|iframe|object|embed|base|link|meta|form)$/.test(name)) found.push(name);
      for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith('on')) found.push(`${name} ${key}`);
        if (/^(?:src|href|action|srcset|style)$/.test(key) && /javascript:|^x$/i.test(value)) found.push(`${name} ${key}=${value}`); // prettier-ignore
      }
    },
  });
  parser.end(html);
  return found;
}

/** The body of the nth request, which another program wrote. */
function bodyOf(count: number): object {
  const said = Array.from({ length: count }, (_, at) => ({ role: evil, content: `${at} ${evil}`, [evil]: evil }));
  const call = { id: evil, type: evil, function: { name: evil, arguments: evil } };
  const parts = [{ type: evil, text: evil }, { type: 'text', text: `${evil}\n\n\`\`\`${evil}\n${evil}\n\`\`\`\n$${evil}$` }];
  const tools = [{ type: 'function', function: { name: evil, description: `${count} ${evil}`, parameters: { [evil]: evil } } }];
  return {
    model: evil,
    [evil]: { [evil]: [evil] },
    tools,
    messages: [{ role: 'system', content: `${count} ${evil}` }, ...said, { role: 'user', content: parts }, { role: 'assistant', tool_calls: [call] }, { role: 'tool', tool_call_id: evil, content: evil }],
  };
} // prettier-ignore

beforeAll(async () => {
  store = memorySessions();
  for (const at of [1, 2]) {
    const receipt = { action: 'left-out', subject: evil, why: evil, callId: evil } as const;
    const record: RequestRecord = {
      version: 1, id: `request ${at}`, time: Date.now() - 1000 + at, conversation, purpose: 'answer', via: 'fetch', wire: 'openai-chat',
      model: `openai-chat/${evil}`, url: `https://x.test/${evil}`, bytes: 9, receipts: [receipt], repairs: at === 2 ? [evil] : [],
    }; // prettier-ignore
    const ended: Ended = {
      state: at === 1 ? 'answered' : 'refused',
      attempts: [{ ms: 1, status: 400, error: evil, requestId: evil }],
      response: { id: evil, model: evil },
      error: { type: 'message-error', code: 'invalid', message: evil, retryable: false },
      answer: {
        role: 'assistant',
        content: [
          { type: 'thinking', text: evil },
          { type: 'text', text: `# ${evil}\n\n[${evil}](javascript:alert(3)) ![${evil}](x)\n\n| ${evil} |\n| --- |\n| ${evil} |` },
          { type: 'call', id: evil, name: evil, input: { [evil]: evil } },
        ],
      } as never,
    }; // prettier-ignore
    await store.recorder?.begin(record, () => keptBody(bodyOf(at)));
    await store.recorder?.end(record.id, ended);
  }
});
afterAll(() => store.close());

async function got(path: string): Promise<Response> {
  const app = inspector({ store: () => store, web: 'nowhere', token: 't' });
  const headers = { host, cookie: 'sightline-4000=t' };
  const answer = await app.handle(new Request(`http://${host}/api/${path}`, { headers }));
  expect(answer.status, path).toBe(200);
  return answer;
}

const address = (id: string): string => `/api/assets/${id}`;

test('no view makes markup of what a record says', async () => {
  const listed = await got(`conversations/${encodeURIComponent(conversation)}`);
  const { requests } = (await listed.json()) as { requests: RequestRow[] };
  expect(requests).toHaveLength(2);
  for (const { id } of requests) {
    const sent = (await (await got(`requests/${encodeURIComponent(id)}`)).json()) as SentView;
    const view = placedAmong(sent, requests);
    const figure = figureAt(address, view.missing);
    const drawn: Html[] = [
      sawHtml(view, address, 'open'),
      sawHtml(view, address),
      answerHtml(view, figure, Date.now()),
      againstHtml(view),
      jsonHtml(view),
    ];
    for (const { html } of drawn) expect(running(html)).toEqual([]);
    expect(drawn.map(({ html }) => html).join('')).toContain('alert(1)'); // it is there, as words
  }
  const said = await got(`conversations/${encodeURIComponent(conversation)}/entries`);
  const { turns } = (await said.json()) as { turns: TimelineTurn[] };
  expect(turns.length).toBeGreaterThan(0);
  for (const turn of turns) expect(running(turnHtml(turn, figureAt(address)).html)).toEqual([]);
});

test('nor does the file that is sent to others', async () => {
  const page = await (await got(`conversations/${encodeURIComponent(conversation)}/page`)).text();
  expect(page).toContain('alert(1)');
  expect(running(page.replace(/<meta [^>]*>/g, ''))).toEqual([]);
});
