// What the real clients are put through: what the model says, what its provider does, and what is done to the gateway.
import type { Answer, Asked, ScriptedRequest } from '../../src/model/script/index.ts';
import type { RealClient } from './clients.ts';
import { isCompaction, picturesIn } from './heard.ts';

export type Trial = {
  name: string;
  /** For the table of the page. */
  what: string;
  /** Turns in which the model looks at something. */
  turns: number;
  gateways: number;
  killed: boolean;
  /** The provider counts so many tokens in the middle that the client makes its conversation shorter. */
  compacts?: true;
  /** What the provider does not take. */
  refuses?: 'pictures' | 'everything';
  /** The provider goes away in the middle of its second answer, once. */
  breaks?: true;
  only?: readonly string[];
};

/** What a provider says that nobody can mend. */
export const final = 'This account was closed on the first of May.';
export const said = 'Sales rose in every month.';

export const trials: readonly Trial[] = [
  { name: 'plain', what: 'a picture and a PDF are read', turns: 2, gateways: 1, killed: false },
  { name: 'killed', what: 'the gateway is killed between two turns', turns: 2, gateways: 1, killed: true },
  { name: 'two', what: 'two gateways answer in turn', turns: 2, gateways: 2, killed: false },
  {
    name: 'healed',
    what: 'the provider refuses the picture',
    turns: 2,
    gateways: 1,
    killed: false,
    refuses: 'pictures',
  },
  { name: 'told', what: 'the provider refuses for good, and the client says why', turns: 2, gateways: 1, killed: false, refuses: 'everything' }, // prettier-ignore
  { name: 'broken', what: 'the provider goes away in the middle of an answer: the client asks again, or says so and goes on when told to', turns: 2, gateways: 1, killed: false, breaks: true }, // prettier-ignore
  { name: 'long', what: 'twenty turns, cut short by the client in between', turns: 20, gateways: 1, killed: false, compacts: true, only: ['claude', 'codex'] }, // prettier-ignore
];

/** The model's side of a trial: it looks at one file in each turn, then says what it saw. */
export function modelOf(trial: Trial, client: RealClient, files: readonly string[]): (asked: Asked) => Answer {
  let turn = 0;
  let broke = !trial.breaks;
  return ({ transcript }) => {
    if (isCompaction(transcript)) return { text: 'We looked at pages; sales rose. Go on with the next page.' };
    const tools = (transcript.tools ?? []).map(({ name }) => name);
    const calls = client.look(tools, [files[turn % files.length] ?? '']);
    if (calls.length === 0) return { text: 'A title' };
    if (turn === 1 && !broke) {
      broke = true;
      return { text: 'One moment, this page is long, and reading it takes a while.', reset: 'middle' };
    }
    const nth = turn++;
    if (nth >= trial.turns) return { text: said };
    const full = trial.compacts && nth === Math.floor(trial.turns / 2);
    return {
      thinking: `Let me look at page ${nth + 1}.`,
      text: `I look at page ${nth + 1}.`,
      calls,
      ...(full && { usage: { inputTokens: 990_000, outputTokens: 100 } }),
    };
  };
}

/** The provider's side: which requests it does not take. */
export function complaintOf({ refuses }: Trial, { transcript }: ScriptedRequest): Answer['error'] | undefined {
  if (refuses === 'everything') return { status: 400, message: final };
  if (refuses !== 'pictures' || !transcript || picturesIn(transcript).length === 0) return undefined;
  return { status: 400, message: 'Could not process image' };
}
