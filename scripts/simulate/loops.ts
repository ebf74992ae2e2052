// Conversations as agents have them: a loop of screenshots, a review of many documents, a coding session.
import type { AssetId, Block, MediaBlock } from '../../src/content/block.ts';
import type { Message, Transcript } from '../../src/message/message.ts';

export type Loop = {
  name: string;
  keeps?: number;
  transcript: Pick<Transcript, 'system' | 'tools'>;
  steps: Message[][];
};

const sentence = 'The page shows a form with twelve fields and a button below it that says where one has got to. ';

/** About so many tokens of English. */
function prose(tokens: number): string {
  return sentence.repeat(Math.ceil(tokens / 20)).slice(0, Math.round(tokens * 4.9));
}

const tools = [
  { name: 'look', description: 'Shows the screen.', inputSchema: { type: 'object', properties: {} } },
  { name: 'read', description: 'Reads a file.', inputSchema: { type: 'object', properties: {} } },
  { name: 'view_asset', description: 'Shows a medium again.', inputSchema: { type: 'object', properties: {} } },
];

/** The instructions come to about 5,000 tokens with the tools. */
const transcript = { system: prose(4850), tools };

let assets = 0;

function asset(mediaType: string, size: number, name: string): MediaBlock['asset'] {
  const id: AssetId = `sha256:${(++assets).toString(16).padStart(64, '0')}`;
  return { id, mediaType, size, name };
}

/** 1,500 tokens on Claude. */
function screenshot(step: number): Block {
  const shot = asset('image/png', 350_000, `step-${step}.png`);
  return { type: 'image', asset: shot, width: 1400, height: 840 };
}

function turn(step: number, said: string, name: string, content: Block[]): Message[] {
  const id = `call_${step}`;
  return [
    {
      role: 'assistant',
      model: '',
      content: [
        { type: 'text', text: said },
        { type: 'call', id, name, input: { step } },
      ],
    },
    { role: 'tool', callId: id, name, content },
  ];
}

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

export function screenshots(steps: number): Loop {
  const walk = Array.from({ length: steps }, (_, step) => {
    const shown: Block[] = [{ type: 'text', text: prose(60) }, screenshot(step)];
    const messages = turn(step, `${prose(95)} (${step})`, 'look', shown);
    return step === 0 ? [user('Fill in the form.'), ...messages] : messages;
  });
  return { name: `screenshot loop, ${steps} steps`, keeps: 4, transcript, steps: walk };
}

export function documents(files: number): Loop {
  const walk = Array.from({ length: files }, (_, file) => {
    const paper = asset('application/pdf', 400_000, `report-${file}.pdf`);
    const shown: Block[] = [{ type: 'document', asset: paper, pages: 8 }];
    const messages = turn(file, `${prose(300)} (${file})`, 'read', shown);
    return file === 0 ? [user('Review these reports and list what they disagree on.'), ...messages] : messages;
  });
  return { name: `document review, ${files} files of 8 pages`, transcript, steps: walk };
}

export function coding(steps: number): Loop {
  const walk = Array.from({ length: steps }, (_, step) => {
    const shown: Block[] = [{ type: 'text', text: `${prose(1200)} (${step})` }];
    if (step % 6 === 5) shown.push(screenshot(step));
    if (step % 50 === 25) {
      shown.push({ type: 'document', asset: asset('application/pdf', 300_000, `spec-${step}.pdf`), pages: 6 });
    }
    const messages = turn(step, `${prose(150)} (${step})`, step % 6 === 5 ? 'look' : 'read', shown);
    return step % 20 === 0 ? [user(`${prose(80)} (${step})`), ...messages] : messages;
  });
  return { name: `coding session, ${steps} steps`, transcript, steps: walk };
}
