// The shell of the page: what stands on top, the keys, and which view is shown.
import { Conversation } from './conversation.tsx';
import { render } from './kit.ts';
import type { JSX } from './kit.ts';
import { List } from './list.tsx';
import { filter, go, helps, isLive, lettersOff, opened, place, start, tabs, trouble, viewAddress } from './state.ts';

function App(): JSX.Element {
  const { conversation } = place.value;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('#main')?.focus()}>
        To the content
      </button>
      <header class="top">
        <a class="brand" href="#/">
          Sightline
        </a>
        <nav aria-label="Where you are">
          <a href="#/">Conversations</a>
          {conversation !== undefined && <b aria-current="page">{opened.value?.about.title ?? conversation}</b>}
        </nav>
        <span
          class={isLive.value ? 'live on' : 'live'}
          role="status"
          title={
            isLive.value ? 'What is recorded shows at once.' : 'Nobody answers. Is "sightline inspect" still running?'
          }
        >
          {isLive.value ? '● live' : '○ not connected'}
        </span>
        <input
          id="search"
          type="search"
          placeholder="Search"
          aria-label="Search conversations"
          value={filter.value.q ?? ''}
          onInput={(event) => {
            filter.value = { ...filter.value, q: event.currentTarget.value };
            if (conversation !== undefined) go('#/');
          }}
        />
        <button type="button" aria-expanded={helps.value} onClick={() => (helps.value = !helps.value)}>
          Keys
        </button>
      </header>
      {trouble.value !== '' && (
        <p class="problem" role="alert">
          {trouble.value}
        </p>
      )}
      {helps.value && <Keys />}
      {conversation === undefined ? <List /> : <Conversation />}
    </>
  );
}

const keys: [string, string][] = [
  ['j k or ↓ ↑', 'next, previous request'],
  ['[ ]', 'previous, next broken prefix'],
  ['1 to 5', 'the views of a request'],
  ['0', 'the timeline'],
  ['/', 'search'],
  ['?', 'these keys'],
];

function Keys(): JSX.Element {
  return (
    <aside class="keys" aria-label="Keys">
      <dl>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input
          type="checkbox"
          checked={!lettersOff.value}
          onChange={(event) => {
            lettersOff.value = !event.currentTarget.checked;
            localStorage.setItem('letters', lettersOff.value ? 'off' : 'on');
          }}
        />{' '}
        single letters work as keys
      </label>
    </aside>
  );
}

function step(by: number, broken: boolean): void {
  const [rows, { conversation, request, tab }] = [opened.value?.requests ?? [], place.value];
  const chosen = rows.findIndex(({ id }) => id === request);
  const at = chosen < 0 && by < 0 ? rows.length : chosen; // from the timeline on: the first one, or the last
  for (let next = at + by; next >= 0 && next < rows.length; next += by) {
    const row = rows[next];
    if (!row || (broken && !row.broke)) continue;
    go(viewAddress(conversation, row.id, tab));
    return;
  }
}

const moves: Record<string, () => void> = {
  j: () => step(1, false),
  k: () => step(-1, false),
  ArrowDown: () => step(1, false),
  ArrowUp: () => step(-1, false),
  ']': () => step(1, true),
  '[': () => step(-1, true),
  '0': () => go(viewAddress(place.value.conversation)),
  '/': () => document.querySelector<HTMLInputElement>('#search')?.focus(),
  '?': () => (helps.value = !helps.value),
};

addEventListener('keydown', (event) => {
  const typing = event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (lettersOff.value && event.key.length === 1) return;
  const { conversation, request = opened.value?.requests.at(-1)?.id } = place.value;
  const tab = tabs[Number(event.key) - 1];
  const act = tab && request !== undefined ? () => go(viewAddress(conversation, request, tab)) : moves[event.key];
  if (!act || (event.key.startsWith('Arrow') && conversation === undefined)) return;
  event.preventDefault();
  act();
});

await start();
const root = document.querySelector('#app');
if (root) render(<App />, root);
