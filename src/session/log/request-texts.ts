// A recorded request as the texts of a table's columns, and back.
import { isRecord, parsed } from '../../content/json.ts';
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

/** A row that was damaged is what its columns say of it: one of them hides no other. */
export function requestRowOf(columns: Columns): RequestRow {
  const [row, ended] = [readText(columns['row']), readText(columns['ended'])];
  const isWhole = isRecord(row) && typeof row['model'] === 'string' && Array.isArray(row['repairs']);
  return {
    ...(isWhole && row['id'] === columns['id'] ? (row as unknown as RequestRow) : damagedRow(columns)),
    ...(isRecord(ended) &&
      typeof ended['state'] === 'string' && { ended: { attempts: [], ...ended } as unknown as Ended }),
  };
}

/** What a column spells; nothing where it is empty or damaged. */
function readText(text: unknown): unknown {
  return parsed(String(text));
}

function damagedRow({ id, conversation, lane, time }: Columns): RequestRow {
  const [wire, , model = 'unknown'] = String(lane).split(' ');
  return {
    version: 1,
    id: String(id),
    conversation: String(conversation),
    lane: String(lane),
    time: Number(time),
    label: 'a record that cannot be read',
    purpose: 'answer',
    via: 'send',
    model,
    wire: wire as RequestRow['wire'],
    url: '',
    bytes: 0,
    repairs: [],
    record: 'all',
    digest: '',
  };
}

export function storedRequestOf(columns: Columns): StoredRequest {
  const [stored, answer] = [readText(columns['body']), readText(columns['answer'])];
  const isWhole = isRecord(stored) && isRecord(stored['body']) && Array.isArray(stored['receipts']);
  const { before } = columns;
  return {
    ...requestRowOf(columns),
    ...(typeof before === 'string' && { before }),
    ...(isWhole ? (stored as unknown as Stored) : { body: {}, receipts: [], assets: [] }),
    depth: Number(columns['depth']),
    ...(isRecord(answer) && Array.isArray(answer['content']) && { answer: answer as unknown as AssistantMessage }),
  };
}
