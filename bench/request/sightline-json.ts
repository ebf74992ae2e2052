// The body as JSON, for clients that want an object or a string.
import { openSightline } from './sightline.ts';
import { requestTask } from './task.ts';
import type { RequestInput } from './task.ts';
import type { Task } from '../harness.ts';

const task: Task<RequestInput, unknown> = requestTask(
  openSightline(async (prepared, sink) => sink.write(JSON.stringify(await prepared.json()))),
);
export default task;
