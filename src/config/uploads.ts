// `[uploads]` → whether media of conversations go into the person's files at a provider, and for how long.
import { isRecord } from '../content/json.ts';
import { onlyKnown, wrong } from './wrong.ts';

export type UploadSettings = { on?: boolean; keepHours?: number };

const keys = [
  'on', // true uploads each picture and PDF of ask and chat once, into your files at Anthropic, OpenAI, Gemini or xAI; off unless set
  'keep_hours', // how long they stay there, from 1 to 720; 24 unless set. Google keeps them for 48
];

const mostHours = 720;

export function uploadTable(value: unknown, file: string): UploadSettings {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(file, 'uploads', 'a table');
  onlyKnown(value, keys, file, 'uploads');
  const { on, keep_hours: keepHours } = value;
  if (on !== undefined && typeof on !== 'boolean') throw wrong(file, 'uploads.on', 'true or false');
  const isHours = typeof keepHours === 'number' && keepHours >= 1 && keepHours <= mostHours;
  if (keepHours !== undefined && !isHours) throw wrong(file, 'uploads.keep_hours', `a number from 1 to ${mostHours}`);
  return { ...(on !== undefined && { on }), ...(isHours && { keepHours }) };
}
