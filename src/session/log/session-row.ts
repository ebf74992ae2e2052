// A row of the table of sessions in, what is listed of a session out; every database names its columns alike.
import type { SessionInfo } from './port.ts';

/** What is known of a session by its row. */
export function sessionInfoOf(row: Readonly<Record<string, unknown>>): SessionInfo {
  const text = (key: string): string | undefined => (typeof row[key] === 'string' ? row[key] : undefined);
  const number = (key: string): number => Number(row[key] ?? 0);
  const [title, model, parentId] = [text('title'), text('model'), text('parentId')];
  return {
    id: text('id') ?? '',
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model }),
    created: number('created'),
    updated: number('updated'),
    messages: number('messages'),
    media: number('media'),
    mediaBytes: number('bytes'),
    inputTokens: number('input'),
    outputTokens: number('output'),
    ...(typeof row['cost'] === 'number' && { cost: row['cost'] }),
    // A removed one of which forks are left may have given its id away; its number stands behind it then.
    ...(parentId !== undefined && { forkedFrom: { id: parentId.split(' ', 1)[0] ?? '', entry: number('fork') } }),
  };
}
