// Every body that a random transcript can become is one the independent judges accept.
import { describe, expect } from 'vitest';
import { schemaErrors } from '../judge/judge.ts';
import { profileOf } from './models.ts';
import { anyShape } from './transcripts.ts';
import { lawOnEveryModel } from './trial.ts';
import { writeWhole } from './world.ts';

/** Compatible servers get their reasoning back under their own name for it, which OpenAI's own schema does not have. */
const echo = 'unknown field "reasoning_content"';

describe('the judges accept every body', () => {
  lawOnEveryModel('whatever the transcript', anyShape, async (transcript, model) => {
    const { body } = await writeWhole({ transcript, model });
    const complaints = await schemaErrors(profileOf(model).wire, body);
    expect(complaints.filter((complaint) => !complaint.endsWith(echo))).toEqual([]);
  });
});
