// The least work that ends in one string: `JSON.stringify` of an object that already holds all base64.
import type { Task } from '../harness.ts';
import { base64Of, question, requestTask, resultText } from './task.ts';
import type { RequestInput } from './task.ts';

const task: Task<RequestInput, unknown> = requestTask(async (input) => {
  const data = base64Of(input);
  return (count) => {
    const results = data.slice(0, count).map((base64, turn) => ({ text: resultText(turn), data: base64 }));
    return async (sink) => {
      sink.write(JSON.stringify({ question, results }));
      sink.end();
    };
  };
});
export default task;
