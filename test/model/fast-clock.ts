// A clock that runs a hundred times faster: waits of seconds pass in milliseconds, and their order stays.
import type { Clock } from '../../src/model/clock.ts';

const factor = 100;
const began = Date.now();

export const fastClock: Clock = {
  now: () => began + (Date.now() - began) * factor,
  after: (ms, act) => {
    const timer = setTimeout(act, ms / factor);
    return () => clearTimeout(timer);
  },
};
