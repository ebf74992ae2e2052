// The conversations, the newest first, with search.
import { ageText, money } from '../content/figures.ts';
import type { JSX } from './kit.ts';
import { viewAddress, list, trouble, words } from './state.ts';

export function List(): JSX.Element {
  const rows = list.value;
  return (
    <main class="list" id="main" tabIndex={-1}>
      <h1>Conversations</h1>
      {rows === undefined && trouble.value === '' && <p class="none">Loading …</p>}
      {rows?.length === 0 && <Empty />}
      <ul>
        {rows?.map(({ id, title, models, requests, cost, cached, breaks, refused, running, updated }) => (
          <li key={id}>
            <a href={viewAddress(id)}>
              <b class="title">{title}</b>
              <span class="models">{models.join(', ')}</span>
              <span>
                {requests} {requests === 1 ? 'request' : 'requests'}
              </span>
              <span>{cost === undefined ? '' : money(cost)}</span>
              <span>{cached === undefined ? '' : `${Math.round(cached * 100)} % read`}</span>
              <span class="marks">
                {breaks > 0 && <span class="pill broke">✂ {breaks}</span>}
                {refused > 0 && <span class="pill refused">{refused} refused</span>}
                {running > 0 && <span class="pill running">● under way</span>}
              </span>
              <span class="age">{ageText(Date.now() - updated)}</span>
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}

function Empty(): JSX.Element {
  return words.value === '' ? (
    <div class="empty">
      <p>Nothing is recorded yet. Ask something, and it stands here while the model still thinks:</p>
      <pre>sightline ask -f chart.png "What does it show?"</pre>
      <p>
        Or look at the demo’s conversation as every model got it: <code>npx sightline inspect --demo</code>
      </p>
    </div>
  ) : (
    <p class="empty">No conversation holds these words: {words.value}</p>
  );
}
