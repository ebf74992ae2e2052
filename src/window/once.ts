// Work on things that come again on every turn, such as a system prompt, done once.

const remembered = 8;

/** The same function, which knows its answers to the last few texts it was asked about. */
export function once<Answer>(work: (text: string) => Answer): (text: string) => Answer {
  const answer = lastFew<Answer>();
  return (text) => (text.length < 200 ? work(text) : answer(text, () => work(text)));
}

/** The same for values that are made anew every turn but say the same; a value that was changed in place is another. */
export function onceSaid<Value, Answer>(work: (value: Value) => Answer): (value: Value) => Answer {
  const answer = lastFew<Answer>();
  return (value) => answer(JSON.stringify(value), () => work(value));
}

/** The same for things that stay the same object from turn to turn. */
export function onceFor<Key extends object, Answer>(work: (key: Key) => Answer): (key: Key) => Answer {
  const answers = new WeakMap<Key, Answer>();
  return (key) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = work(key);
    answers.set(key, answer);
    return answer;
  };
}

function lastFew<Answer>(): (text: string, work: () => Answer) => Answer {
  const answers = new Map<string, Answer>();
  return (text, work) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = work();
    const [oldest] = answers.keys();
    if (answers.size >= remembered && oldest !== undefined) answers.delete(oldest);
    answers.set(text, answer);
    return answer;
  };
}
