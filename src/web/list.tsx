// The conversations, the newest first, with search and filters.
import { ageText, money } from '../content/figures.ts';
import { pictureEdges } from '../page/view.ts';
import { assetAddress } from './fragment.tsx';
import type { JSX } from './kit.ts';
import { filter, isMore, list, loadOlder, trouble, viewAddress } from './state.ts';

export function List(): JSX.Element {
  const rows = list.value;
  return (
    <main class="list" id="main" tabIndex={-1}>
      <h1>Conversations</h1>
      <Filters />
      {rows === undefined && trouble.value === '' && <p class="none">Loading …</p>}
      {rows?.length === 0 && <Empty />}
      <ul>
        {rows?.map(
          ({
            id,
            title,
            models,
            requests,
            cost,
            cached,
            breaks,
            failed,
            running,
            silent,
            endless,
            updated,
            picture,
          }) => (
            <li key={id}>
              <a href={viewAddress(id)}>
                {picture ? (
                  <img class="thumb" src={assetAddress(picture, pictureEdges.list)} alt="" loading="lazy" />
                ) : (
                  <span class="thumb words" />
                )}
                <b class="title">{title}</b>
                <span class="models">{models.join(', ')}</span>
                <span class="figures">
                  <span class="requests">
                    {requests} {requests === 1 ? 'request' : 'requests'}
                  </span>
                  <span>{cost === undefined ? '' : money(cost)}</span>
                  <span>{cached === undefined ? '' : `${Math.round(cached * 100)} % from cache`}</span>
                  <span class="age">{ageText(Date.now() - updated)}</span>
                </span>
                <span class="marks">
                  {running > 0 && <span class="pill running">● under way</span>}
                  {silent > 0 && <span class="pill silent">no sign of life</span>}
                  {endless > 0 && <span class="pill broken">no end</span>}
                  {breaks > 0 && (
                    <span class="pill broke">
                      ✂ {breaks} {breaks === 1 ? 'break' : 'breaks'}
                    </span>
                  )}
                  {failed > 0 && <span class="pill refused">{failed} failed</span>}
                </span>
              </a>
            </li>
          ),
        )}
      </ul>
      {isMore.value && (
        <button type="button" class="more" onClick={loadOlder}>
          Older ones
        </button>
      )}
    </main>
  );
}

const happened: [name: string, label: string][] = [
  ['live', '● under way'],
  ['broke', '✂ broken prefix'],
  ['failed', 'failed'],
];

function Filters(): JSX.Element {
  const now = filter.value;
  return (
    <div class="filters" role="group" aria-label="Only conversations that">
      {happened.map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={now.only === name}
          onClick={() => (filter.value = { ...now, only: now.only === name ? '' : name })}
        >
          {label}
        </button>
      ))}
      <label>
        model{' '}
        <input
          value={now.model ?? ''}
          placeholder="any"
          onInput={(event) => (filter.value = { ...now, model: event.currentTarget.value })}
        />
      </label>
      <label>
        above ${' '}
        <input
          inputMode="decimal"
          value={now.cost ?? ''}
          placeholder="0"
          onInput={(event) => (filter.value = { ...now, cost: event.currentTarget.value })}
        />
      </label>
    </div>
  );
}

function Empty(): JSX.Element {
  const { q = '', ...rest } = filter.value;
  if (q !== '') return <p class="empty">No conversation holds these words: {q}</p>;
  if (Object.values(rest).some((value) => value !== '')) return <p class="empty">No conversation is like that.</p>;
  return (
    <div class="empty">
      <p>Nothing is recorded yet. Ask something, and it stands here while the model still thinks:</p>
      <pre>sightline ask -f chart.png "What does it show?"</pre>
      <p>
        Or look at the demo’s conversation as every model got it: <code>sightline inspect --demo</code>
      </p>
    </div>
  );
}
