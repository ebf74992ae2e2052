// Chance that can be repeated: numbers that look random and are the same for the same seed.

export type Roll = (below: number) => number;

export function dice(seed: number): Roll {
  let state = (Math.imul(seed, 2_654_435_761) + 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function pick<Value>(values: readonly [Value, ...Value[]], roll: Roll): Value {
  return values[roll(values.length)] ?? values[0];
}
