// A recorded request as the texts of a table's columns, and back.
import type { AssistantMessage } from '../../message/message.ts';
import type { Ended } from '../../record/record.ts';
import type { RequestRow, StoredRequest } from '../../record/table.ts';

type Columns = Record<string, unknown>;
type Stored = Pick<StoredRequest, 'body' | 'receipts' | 'assets'>;

/** What lists need, and what changed, each as JSON. */
export function textsOf(request: StoredRequest): { row: string; body: string } {
  const { body, receipts, assets, answer: _answer, ended: _ended, depth: _depth, ...row } = request;
  return { row: JSON.stringify(row), body: JSON.stringify({ body, receipts, assets } satisfies Stored) };
}

export function requestRowOf({ row, ended }: Columns): RequestRow {
  const end = typeof ended === 'string' ? { ended: JSON.parse(ended) as Ended } : {};
  return { ...(JSON.parse(String(row)) as RequestRow), ...end };
}

export function storedRequestOf(row: Columns): StoredRequest {
  const { answer } = row;
  return {
    ...requestRowOf(row),
    ...(JSON.parse(String(row['body'])) as Stored),
    depth: Number(row['depth']),
    ...(typeof answer === 'string' && { answer: JSON.parse(answer) as AssistantMessage }),
  };
}
