// Names of foreign tools, made so that every API takes them and no two are the same.
import { digest } from '../content/text.ts';

const maxLength = 64;

/** `server_tool`, of letters, digits, `_` and `-`; one that had to be changed or cut stays distinct by a digest. */
export function toolName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const plain = `${server}_${tool}`.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  const name = /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`;
  if (name.length <= maxLength && !taken.has(name)) return name;
  const mark = digest(`${server}\n${tool}`).slice(0, 6);
  return `${name.slice(0, maxLength - 7)}_${mark}`;
}
