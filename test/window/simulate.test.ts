// The goals of the simulation, on a shorter loop: what a plan saves against a sliding window and against keeping it all.
import { expect, test } from 'vitest';
import { screenshots } from '../../scripts/simulate/loops.ts';
import { cachedPart, play } from '../../scripts/simulate/play.ts';
import { profileFor } from '../../src/window/profile.ts';
import { some } from '../some.ts';

const loop = screenshots(60);

const goals = [
  ['anthropic/claude-sonnet-4-5', 1.5],
  ['anthropic/claude-opus-5-5', 1.75],
  ['anthropic/claude-fable-5-1', 1.95],
  ['openai/gpt-6-sol', 1.4],
] as const;

test.each(some(goals, 1))('%s pays at least %f × less than with a sliding window', (model, goal) => {
  const profile = profileFor(model);
  const ours = play(loop, profile, 'planned');
  expect(play(loop, profile, 'sliding').dollars / ours.dollars).toBeGreaterThan(goal);
  expect(cachedPart(ours.charged)).toBeGreaterThan(0.85);
  expect(ours.newest).toBe(true);
  expect(ours.moves).toBeLessThan(8);
});

test('keeping everything costs more, and fails in the end', () => {
  const profile = profileFor('gemini/gemini-3.1-pro');
  const all = play(loop, profile, 'everything');
  expect(all.dollars / play(loop, profile, 'planned').dollars).toBeGreaterThan(1.2);
  expect(all.failed).toBeLessThan(60);
});
