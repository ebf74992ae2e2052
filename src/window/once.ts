// Work on texts that come again on every turn, such as a system prompt, done once.

const remembered = 4;

/** The same function, which knows its answers to the last few texts it was asked about. */
export function once<Answer>(work: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    if (text.length < 200) return work(text);
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = work(text);
    const [oldest] = answers.keys();
    if (answers.size >= remembered && oldest !== undefined) answers.delete(oldest);
    answers.set(text, answer);
    return answer;
  };
}

/** The same for a list of things that stay the same object from turn to turn. */
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
