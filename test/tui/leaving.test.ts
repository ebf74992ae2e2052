// Leaving a conversation while something is asked of the person.
import { expect, test } from 'vitest';
import { memorySessions } from '../../src/session/index.ts';
import { approvals } from '../../src/tui/approval.ts';
import { talk } from '../../src/tui/controller.ts';
import type { TalkOptions } from '../../src/tui/open-chat.ts';
import { image, png } from '../session/samples.ts';

const nothing = (): void => undefined;

test('whoever leaves with an open list waits for no choice', async () => {
  const session = await memorySessions().create();
  const asset = await session.assets.put(png(1), { mediaType: 'image/png' });
  await session.append({ type: 'message', message: { role: 'user', content: [image(asset)] } });
  const asked = Promise.withResolvers<void>();
  const options = { model: 'openai/gpt-5.2', session, rights: {} } as unknown as TalkOptions;
  const { submit, end } = talk(options, {
    conversation: { note: nothing } as never,
    approval: approvals({} as never, nothing),
    handBack: nothing,
    changed: nothing,
    choose: async () => {
      asked.resolve();
      return await new Promise(nothing);
    },
    copy: async () => true,
    leave: nothing,
  });
  void submit('/view');
  await asked.promise;
  await expect(end()).resolves.toBeUndefined();
});
