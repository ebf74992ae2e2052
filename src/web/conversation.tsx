// One conversation: its requests as a rail, its input as a chart, and one request in five views.
import { byteText, grouped, money, timeText } from '../content/figures.ts';
import { againstHtml, answerHtml, jsonHtml, sawHtml } from '../page/request.ts';
import { pathText } from '../page/view.ts';
import type { ViewSection } from '../page/view.ts';
import type { RequestRow } from '../record/table.ts';
import { Chart } from './chart.tsx';
import { Fragment, assetAddress } from './fragment.tsx';
import type { JSX } from './kit.ts';
import { viewAddress, go, opened, place, planFor, planned, trouble, view } from './state.ts';
import type { Tab } from './state.ts';

export function Conversation(): JSX.Element {
  const now = opened.value;
  const { conversation: id = '', request } = place.value;
  if (!now)
    return (
      <main id="main" tabIndex={-1}>
        <p class="none">{trouble.value === '' ? 'Loading …' : ''}</p>
      </main>
    );
  return (
    <div class="split">
      <nav class="rail" aria-label="Requests">
        <h2>Requests</h2>
        <ol>
          {now.requests.map((row, at) => (
            <li key={row.id}>
              <a href={viewAddress(id, row.id, place.value.tab)} aria-current={row.id === request ? 'true' : undefined}>
                <RailRow row={row} number={at + 1} most={mostOf(now.requests)} />
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <main id="main" tabIndex={-1}>
        <Chart rows={now.requests} chosen={request} open={(one) => go(viewAddress(id, one, place.value.tab))} />
        <Request />
      </main>
    </div>
  );
}

function mostOf(rows: readonly RequestRow[]): number {
  return Math.max(1, ...rows.map(({ ended, totals }) => ended?.usage?.inputTokens ?? totals?.used.tokens ?? 0));
}

function RailRow({ row, number, most }: { row: RequestRow; number: number; most: number }): JSX.Element {
  const { ended, totals, purpose, broke, repairs, time } = row;
  const usage = ended?.usage;
  const input = usage?.inputTokens ?? totals?.used.tokens ?? 0;
  const [read, written] = [usage?.cachedTokens ?? 0, usage?.writtenTokens ?? 0];
  const scale = 100 / most;
  return (
    <>
      <span class="number">{number}</span>
      <span class="when">{new Date(time).toLocaleTimeString()}</span>
      <span class="price">{ended?.cost === undefined ? '' : money(ended.cost)}</span>
      <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="4" />
        <rect class="rest" width={input * scale} height="4" />
        <rect class="written" width={(read + written) * scale} height="4" />
        <rect class="read" width={read * scale} height="4" />
      </svg>
      <span class="marks">
        {purpose !== 'answer' && <span class="pill probe">{purpose}</span>}
        {!ended && <span class="pill running">● under way</span>}
        {ended && ended.state !== 'answered' && <span class="pill refused">{ended.state}</span>}
        {repairs.length > 0 && <span class="pill healed">healed</span>}
        {broke && <span class="pill broke">✂ {broke.part}</span>}
      </span>
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

function Request(): JSX.Element {
  const now = view.value;
  const { conversation: id = '', request, tab } = place.value;
  if (!now || now.row.id !== request) return <p class="none">{trouble.value === '' ? 'Loading …' : ''}</p>;
  const { row, number, before } = now;
  const status = row.ended?.attempts.at(-1)?.status;
  return (
    <section aria-labelledby="request">
      <header class="request">
        <h1 id="request">Request {number}</h1>
        <p>
          <b>{row.model}</b> · {row.wire} · {grouped(row.bytes)} bytes · {row.via}
          {status === undefined ? '' : ` · ${status}`} ·{' '}
          <span class={`state ${row.ended?.state ?? 'running'}`}>{row.ended?.state ?? 'under way'}</span>
          {row.ended?.latency ? ` · ${timeText(row.ended.latency.totalMs)}` : ''}
        </p>
        <p class="links">
          <a href={`/api/requests/${encodeURIComponent(row.id)}/body`} download>
            The exact body
          </a>
          <a href={`/api/conversations/${encodeURIComponent(id)}/page`} download>
            All requests as one file
          </a>
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
      </nav>
      {tab === 'saw' && <Fragment of={sawHtml(now, assetAddress)} label="What it saw" />}
      {tab === 'against' && <Fragment of={againstHtml(now)} label="Against the one before" />}
      {tab === 'answer' && <Fragment of={answerHtml(now)} label="Answer" />}
      {tab === 'json' && <Fragment of={jsonHtml(now)} label="JSON" />}
      {tab === 'as' && <Other sections={now.sections} />}
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
function Other({ sections }: { sections: readonly ViewSection[] }): JSX.Element {
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
      {made && (
        <>
          <p>
            <b>{made.model}</b> would get about {grouped(made.totals.used.tokens)} tokens,{' '}
            {byteText(made.totals.used.bytes)}, {made.totals.used.images} pictures.
          </p>
          <div class="columns">
            <Column title="Sent" sections={sections} />
            <Column title={`Would be sent to ${made.model}`} sections={made.sections} />
          </div>
        </>
      )}
    </div>
  );
}

function Column({ title, sections }: { title: string; sections: readonly ViewSection[] }): JSX.Element {
  return (
    <section>
      <h2>{title}</h2>
      {sections.flatMap(({ leaves, title: who }) =>
        leaves.map((leaf) => (
          <div key={pathText(leaf.path)} class="leaf">
            <code>
              {who} {pathText(leaf.path)}
            </code>
            {leaf.kind === 'text' && <p class="words">{leaf.text.slice(0, 400)}</p>}
            {leaf.kind === 'call' && (
              <p>
                <b>{leaf.name}</b> {leaf.input.slice(0, 200)}
              </p>
            )}
            {leaf.kind === 'medium' && (
              <figure>
                <img
                  src={assetAddress(leaf.medium.$asset).replace('1200', '320')}
                  alt={`${leaf.medium.mediaType}, ${byteText(leaf.medium.size)}`}
                  loading="lazy"
                />
                <figcaption>{leaf.receipt?.why ?? leaf.medium.mediaType}</figcaption>
              </figure>
            )}
          </div>
        )),
      )}
    </section>
  );
}
