// One conversation: its requests as a rail, its timeline, its input as a chart, and one request in five views.
import { grouped, timeText } from '../content/figures.ts';
import { otherHtml } from '../page/other.ts';
import { againstHtml, answerHtml, figureAt, jsonHtml, sawHtml } from '../page/request.ts';
import { placedAmong } from '../page/standing.ts';
import { stateOf, stateWords } from '../page/view.ts';
import type { RequestView, ShownRow } from '../page/view.ts';
import type { RequestRow } from '../record/table.ts';
import { Chart, Legend } from './chart.tsx';
import { clockTime } from './clock.ts';
import { Fragment, besideAddress } from './fragment.tsx';
import { useMemo } from './kit.ts';
import type { JSX } from './kit.ts';
import { go, needsAll, opened, place, planFor, planned, trouble, unfolded, view, viewAddress } from './state.ts';
import type { Tab } from './state.ts';
import { Rail } from './rail.tsx';
import { Timeline } from './timeline.tsx';

export function Conversation(): JSX.Element {
  const now = opened.value;
  const { conversation: id = '', request, tab } = place.value;
  if (!now)
    return (
      <main id="main" tabIndex={-1}>
        <p class="none">{trouble.value === '' ? 'Loading …' : ''}</p>
      </main>
    );
  const chart = <Chart rows={now.requests} chosen={request} open={(one) => go(viewAddress(id, one, tab))} />;
  return (
    <div class="split">
      <nav class="rail" aria-label="Requests">
        <a class="whole" href={viewAddress(id)} aria-current={request === undefined ? 'true' : undefined}>
          Timeline
        </a>
        <Rail rows={now.requests} />
        <p class="legend">
          <Legend of="read">from cache</Legend> <Legend of="written">written</Legend> <Legend of="rest">neither</Legend>
        </p>
      </nav>
      <main id="main" tabIndex={-1}>
        {request === undefined ? (
          <>
            <header class="request">
              <h1>{now.about.title}</h1>
              <Facts rows={now.requests} models={now.about.models} id={id} />
            </header>
            {chart}
            <Timeline />
          </>
        ) : (
          <>
            <Request rows={now.requests} />
            <h2 class="over">Over the conversation</h2>
            {chart}
          </>
        )}
      </main>
    </div>
  );
}

function Facts({ rows, models, id }: { rows: RequestRow[]; models: readonly string[]; id: string }): JSX.Element {
  return (
    <>
      <p>
        {models.join(', ')} · {rows.length} {rows.length === 1 ? 'request' : 'requests'}
      </p>
      <p class="links">
        <a href={`/api/conversations/${encodeURIComponent(id)}/page`} download>
          All requests as one file
        </a>
      </p>
    </>
  );
}

const tabNames: Record<Tab, string> = {
  saw: 'What it saw',
  against: 'Against the one before',
  answer: 'Answer',
  as: 'For another model',
  json: 'JSON',
};

/** While the next one comes, the one before stays: nothing jumps for whoever goes through them. */
function Request({ rows }: { rows: ShownRow[] }): JSX.Element {
  const sent = view.value;
  const { request } = place.value;
  const now = useMemo(() => sent && placedAmong(sent, rows), [sent, rows]);
  const isLeaving = sent?.row.id !== request;
  if (!now || (isLeaving && (now.number === 0 || trouble.value !== '')))
    return <p class="none">{trouble.value === '' ? 'Loading …' : ''}</p>;
  return (
    <div class={isLeaving ? 'leaving' : ''} aria-busy={isLeaving}>
      <RequestSheet now={now} />
    </div>
  );
}

function RequestSheet({ now }: { now: RequestView }): JSX.Element {
  const { conversation: id = '', tab } = place.value;
  const { row, number, before } = now;
  const isComing = needsAll(tab) && !now.whole;
  const status = row.ended?.attempts.at(-1)?.status;
  const state = stateOf(row, Date.now());
  return (
    <section aria-labelledby="request">
      <header class="request">
        <h1 id="request">Request {number}</h1>
        <p>
          <b>{row.model}</b> · {row.wire} · {grouped(row.bytes)} bytes · {clockTime(row.time)}
          {status === undefined ? '' : ` · ${status}`} ·{' '}
          <span class={`state ${state}`}>{stateWords(row, Date.now())}</span>
          {row.ended?.latency ? ` in ${timeText(row.ended.latency.totalMs)}` : ''}
        </p>
      </header>
      {row.masked !== undefined && (
        <p class="problem">
          {row.masked} secrets of the sending program were masked; there the bytes are not those that were sent.
        </p>
      )}
      <nav class="tabs" aria-label="Views of this request">
        {(Object.keys(tabNames) as Tab[]).map((one) => (
          <a key={one} href={viewAddress(id, row.id, one)} aria-current={one === tab ? 'page' : undefined}>
            {one === 'against' && before ? `Against request ${before.number}` : tabNames[one]}
          </a>
        ))}
        <a class="body" href={`/api/requests/${encodeURIComponent(row.id)}/body`} download>
          The exact body
        </a>
      </nav>
      {tab === 'saw' && <Fragment of={sawHtml(now, besideAddress, unfolded.value ? 'open' : 'closed')} />}
      {isComing && <p class="none">Loading …</p>}
      {tab === 'against' && <Fragment of={againstHtml(now)} />}
      {tab === 'answer' && <Fragment of={answerHtml(now, figureAt(besideAddress, now.missing), Date.now())} />}
      {tab === 'json' && !isComing && <Fragment of={jsonHtml(now)} />}
      {tab === 'as' && !isComing && <Other now={now} />}
    </section>
  );
}

const models = [
  'anthropic/claude-sonnet-5',
  'openai/gpt-5.2',
  'openai-chat/gpt-4.1',
  'gemini/gemini-3-pro-preview',
  'ollama/qwen3-vl',
  'ollama/llama3.1',
];

/** What another model would get, beside what was sent: those parts first that differ. */
function Other({ now }: { now: RequestView }): JSX.Element {
  const made = planned.value;
  return (
    <div class="other">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const field = event.currentTarget.elements.namedItem('model');
          if (field instanceof HTMLInputElement) planFor(field.value);
        }}
      >
        <label for="model">What would this model get in its place?</label>
        <input id="model" name="model" list="models" placeholder="endpoint/model" autocomplete="off" />
        <datalist id="models">
          {models.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <button type="submit">Plan</button>
        <span class="none">Nothing is sent.</span>
      </form>
      {made && <Fragment of={otherHtml(now, made, besideAddress)} />}
    </div>
  );
}
