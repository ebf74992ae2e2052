// The body as a stream of bytes: read from disk, encoded and spliced in chunks.
import { openSightline } from './sightline.ts';
import { requestTask } from './task.ts';
import type { RequestInput } from './task.ts';
import type { Task } from '../harness.ts';

const task: Task<RequestInput, unknown> = requestTask(
  openSightline(async (prepared, sink) => {
    for await (const chunk of prepared.stream()) sink.write(chunk);
  }),
);
export default task;
