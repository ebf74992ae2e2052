// A long run of our own browser tools in a real Chromium: a scripted model looks at the page, finds the red square on the
// picture as it was sent, maps its place back by what the label says, and clicks on it. The page tells where the click fell.
import sharp from 'sharp';
import type { AssetStore } from '../../src/asset/store.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { runAgent } from '../../src/index.ts';
import type { Message } from '../../src/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer, Asked } from '../../src/model/script/index.ts';
import { shippedTools } from '../../src/toolbox/shipped.ts';
import { profileFor } from '../../src/window/profile.ts';
import { picturesIn } from '../../bench/eyesight/pictures.ts';
import { webServer } from '../../test/toolbox/web-server.ts';

export type Walked = {
  messages: Message[];
  assets: AssetStore;
  clicks: number;
  /** How far the worst click fell from the middle of the square, in pixels of the page. */
  farthest: number;
  /** Requests that a provider would have refused. */
  refused: string[];
  stop: string;
};

export const walker = 'anthropic/claude-sonnet-4-5';
const window = { viewport_width: 2560, viewport_height: 1440 };

/** The page moves its square at every click, and tells where the click and the middle were. */
const board = `<!doctype html><title>Board</title><body style="margin:0;font:16px sans-serif"><p>Click the red square.</p><div id=s style="position:absolute;width:24px;height:24px;background:rgb(255,0,0)"></div><script>
let n = 0; const s = document.getElementById('s'); let x, y;
const move = () => { x = 40 + (n * 7919) % 2440; y = 60 + (n * 104729) % 1320; s.style.left = x + 'px'; s.style.top = y + 'px'; };
addEventListener('click', (e) => { fetch('/clicked?x=' + e.clientX + '&y=' + e.clientY + '&mx=' + (x + 12) + '&my=' + (y + 12)); n++; move(); }); move();
</script>`;

/** So many steps, each a look or a click. */
export async function walk(steps: number): Promise<Walked> {
  const site = await webServer({
    '/': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(board),
    '/clicked': (response) => void response.end(),
  });
  const shipped = shippedTools({ roots: [], urls: { hosts: [site.host] } });
  const refused: string[] = [];
  const assets = memoryAssets();
  await using server = await scriptedServer(script((asked) => nextStep(asked, steps, site.base)));
  try {
    const tools = shipped.tools.filter(({ name }) => name.startsWith('browser_session_'));
    const run = await runAgent({
      model: { model: walker, baseUrl: server.url, apiKey: 'none' },
      prompt: 'Click the red square, again and again.',
      tools,
      assets,
      maxSteps: steps + 4,
    });
    for (const [at, { body }] of server.requests.entries()) refused.push(...complaints(body, `request ${at + 1}`));
    const offs = site.seen.filter((path) => path.startsWith('/clicked')).map(offOf);
    return {
      messages: run.messages,
      assets,
      clicks: offs.length,
      farthest: Math.max(0, ...offs),
      refused,
      stop: run.stop,
    };
  } finally {
    await shipped.close();
    await site.close();
  }
}

function offOf(path: string): number {
  const given = new URL(path, 'http://page').searchParams;
  const [x, y, middleX, middleY] = ['x', 'y', 'mx', 'my'].map((name) => Number(given.get(name)));
  return Math.max(Math.abs((x ?? 0) - (middleX ?? 0)), Math.abs((y ?? 0) - (middleY ?? 0)));
}

async function nextStep({ index, transcript }: Asked, steps: number, url: string): Promise<Answer> {
  if (index === 0) return { calls: [{ name: 'browser_session_create', input: { url, ...window } }] };
  if (index > steps) return { text: 'Done.' };
  const session_id = 'browser-1';
  if (index % 2 === 1) return { calls: [{ name: 'browser_session_screenshot', input: { session_id } }] };
  const point = await squareOn(transcript);
  if (!point) return { text: 'There is no square.' };
  return { calls: [{ name: 'browser_session_interact', input: { session_id, action: 'click', ...point } }] };
}

/** The middle of the red square on the newest picture, in pixels of the window. */
async function squareOn({ messages }: Asked['transcript']): Promise<{ x: number; y: number } | undefined> {
  const last = messages.findLast(({ role }) => role === 'tool');
  const content = Array.isArray(last?.content) ? last.content : [];
  const shown = content.findLast((one) => typeof one === 'object' && one.type === 'image');
  if (typeof shown !== 'object' || !('data' in shown)) return undefined;
  const told = content.map((one) => (typeof one === 'object' && one.type === 'text' ? one.text : '')).join('\n');
  const factor = Number(/multiply coordinates by ([\d.]+)/.exec(told)?.[1] ?? 1);
  const bytes = typeof shown.data === 'string' ? Buffer.from(shown.data, 'base64') : (shown.data as Uint8Array);
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let [weight, x, y] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 3) {
    const red = Math.max(0, (data[at] ?? 0) - Math.max(data[at + 1] ?? 0, data[at + 2] ?? 0)) / 255;
    weight += red;
    x += red * (((at / 3) % info.width) + 0.5);
    y += red * (Math.floor(at / 3 / info.width) + 0.5);
  }
  return weight === 0 ? undefined : { x: Math.round((x / weight) * factor), y: Math.round((y / weight) * factor) };
}

/** Where a request is larger than its model takes. */
export function complaints(body: unknown, name: string, model: string = walker): string[] {
  const { requestBytes, maxImages, manyImages, media } = profileFor(model);
  const found = picturesIn(body);
  const size = JSON.stringify(body).length;
  const edge = manyImages && found.length > manyImages.above ? manyImages.maxEdge : media.image.maxEdge;
  return [
    ...(size > requestBytes ? [`${name}: ${size} bytes`] : []),
    ...(found.length > maxImages ? [`${name}: ${found.length} pictures`] : []),
    ...found.flatMap(({ base64 }) => {
      const head = Buffer.from(base64.slice(0, 64), 'base64');
      const longest =
        head.subarray(1, 4).toString() === 'PNG' ? Math.max(head.readUInt32BE(16), head.readUInt32BE(20)) : 0;
      return longest > edge || base64.length > media.image.maxBase64 ? [`${name}: a picture of ${longest} px`] : [];
    }),
  ];
}
