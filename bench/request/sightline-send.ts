// The body as `send` puts it on the line: the same stream, in chunks that are used again.
import { openSightline } from './sightline.ts';
import { requestTask } from './task.ts';
import type { RequestInput } from './task.ts';
import type { Task } from '../harness.ts';

const task: Task<RequestInput, unknown> = requestTask(
  openSightline(async (prepared, sink) => {
    for await (const chunk of prepared.outgoing().stream({ reuse: true })) sink.write(chunk);
  }),
);
export default task;
