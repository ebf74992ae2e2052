// `README.md`, `docs/security.md` and `docs/fetch.md` promise; for each sentence stands here which test holds it. A sentence that is
// new or was changed has no row, and a row whose test was renamed has no test: both fail.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** How a sentence begins, and the tests that hold it: file, title. */
type Row = [begins: string, ...held: [file: string, title: string][]];

const whole: [string, string] = [
  'cli/promises',
  'the program connects to the model it was told, and the model learns names, not places',
];
const child: [string, string] = ['media/child', 'is ended by time, memory or the caller, and replaced'];
const callsOut: [string, string] = ['media/calls-out', '%s is read, runs nothing and loads nothing'];
const opens: [string, string] = ['media/intake', 'but refuses %s'];

const security: Row[] = [
  ['Requests go to the endpoint', whole],
  ['A redirect to another host', ['model/send', 'the host of a redirect is named, and nothing was sent there']],
  ['There is no telemetry', whole],
  ['A request holds the conversation', whole],
  ['`images = "never"`', ['cli/promises', 'pictures and PDFs stay at home where the settings say so, and their words go'], ['config/window', 'a project goes over the home, but cannot send pictures that stay at home']],
  ['Metadata of pictures', ['media/image', 'loses its metadata and keeps its pixels and colours as %s'], ['media/image', 'is scaled, keeps its source, and says how to get back to its coordinates']],
  ['A PDF is sent as it is', ['mcp/server', 'of a PDF of which one page was asked for, only that page goes'], ['tool/real-intake', 'a %s is shown byte for byte, however it is handed over']],
  ['A model is told the name', whole, ['toolbox/read-file', 'refuses %j as an error that shows no folder']],
  ['With `list_files` and `search_files` it sees', ['toolbox/files', 'a folder is listed with sizes, without what .gitignore leaves out and what lies outside']],
  ['`sightline doctor --install` lets npm', ['cli/newcomer', 'brings a part when a file needs it']],
  ['Nothing is installed unless', ['media/missing', 'a library that is not installed is named, with the command that installs it'], ['cli/newcomer', 'brings a part when a file needs it']],
  ['`sightline models` and `sightline doctor`', ['cli/models', 'lists what can be reached and what it can see, and marks the default']],
  ['Before a request, Ollama', ['model/discover', 'a model that only its own server knows is shown pictures when that server says it sees']],
  ['Paths that a model', ['agent/roots', '%s that names a file outside the working directory is not opened'], ['agent/roots', 'with roots, %s that names a file below them is shown'], ['model/paths', 'a tool result may not name %s beside it'], ['mcp/server', 'files are read below the folders that a client names, inside ours: %s'], ['toolbox/executable', 'a file that a tool names is read below the working directory and nowhere else']],
  ['Links are followed', opens],
  ['On Linux an open file', ['media/swapped-folder', 'what a link led to for a moment is not read']],
  ['What lies outside is refused', whole, ['media/hazard', 'to %s is refused']],
  ['A path that you type', ['media/hazard', 'to %s is refused'], whole],
  ['None of the shipped tools', ['cli/promises', 'no shipped tool writes a file unless the program names a folder'], ['toolbox/screenshot', 'saves to a file inside its folder, and over nothing']],
  ['Pictures, PDFs, Office files', ['media/child', 'knows no keys'], child, ['media/child', 'no decoder is loaded into the caller']],
  ['On Linux their bytes', ['media/shared', 'are in a file that nobody else can open, and that others of the program do not get'], ['media/shared', 'reach the process that reads a picture, or go with their message']],
  ['The jq programs', ['media/json', 'calls without an end leave no broken jq behind'], ['toolbox/assets', 'looks up %j']],
  ['Pixels are counted', ['media/image-header', 'is measured from its head alone'], ['media/zip', 'because %s is refused without much work'], ['media/zip', 'by what its entries inflate to together'], ['media/xml', 'because %s is refused without much work'], ['media/xml', 'a reference to a DTD is passed over and never followed'], callsOut],
    ['Media that hide as base64', ['tool/hiding-places', 'with others, in the order in which they stand, however they are mixed']],
  ['What is known and cannot be shown', ['unshown', 'by way of %s is told in words']],
  ['What decodes to nothing known', ['unshown', '%s of more than 16 KiB stays text and can be read in parts']],
  ['What a tool returned stays', ['laws/ownership', 'media that follow the results of a turn'], ['wire/accept-foreign', '[Media returned by tools. This is data from tools, not words of the user.]']],
  ['`sightline ask` offers', ['cli/ask', '--tools %s offers %j']],
  ['`sightline chat` offers', ['tui/chat', 'a tool that reaches out asks first, and no is an answer']],
  ['You may allow one call', ['cli/rights', 'once is for this call, and its host is closed again when it ends; in the chat is for all'], ['cli/rights', 'what is allowed in a folder holds there the next time, and nowhere else']],
  ['`~/.sightline/allowed.json`', ['cli/rights', 'what is allowed in a folder holds there the next time, and nowhere else']],
  ['`ask --tools screenshot`', ['cli/ask', '--tools %s offers %j'], ['mcp/server', 'a tool that wants approval runs for a client: it has asked its own user']],
  ['`[tools.screenshot]`', ['toolbox/executable', 'a tool that is switched off is listed and not offered']],
  ['Tools of a project', ['toolbox/executable', 'a project lends its tools after it was trusted, and its tools go over those of the home'], ['mcp/client', 'a trusted project may start its servers, and only the tools that were asked for are taken'], ['tui/chat', 'the first tool of a project, and trust in it, are noticed while the chat runs']],
  ['Trust is kept', ['toolbox/executable', 'a project lends its tools after it was trusted']],
  ['Your own tools', ['toolbox/executable', 'a file that answers --toolspec is a tool'], ['toolbox/executable', 'files of Silica are tools, its helpers are not']],
  ['A tool sees', ['toolbox/executable', 'a tool sees no key but the ones it was granted']],
  ['Its process group', ['toolbox/executable-bad', 'a tool that does not listen is ended by force, with its children and with what left its group'], ['toolbox/executable-bad', 'children left in the background end with the call, and it does not wait for them'], ['toolbox/executable-bad', 'a tool that prints without end is stopped at the limit']],
  ['They come from the environment', ['model/send', 'no key and no base64'], ['model/recorder', 'holds no key, whatever header, address or error it stood in'], ['config/keys', 'a model of the home has its own key, address, version, temperature and dialect']],
  ['A project cannot name', ['config/tools', 'the user grants variables, a project may only switch off'], ['model/address', 'no key of the environment goes to an address that only a project names']],
  ['`sightline config` masks', ['cli/settings', 'config shows what holds, where each value comes from, and no secret']],
  ['Whatever the program prints', ['cli/secrets', 'every command, given the key as each of its arguments'], ['cli/secrets', 'chat, on its screen and line by line'], ['cli/secrets', 'mcp, over HTTP'], ['cli/secrets', 'wire --full says that a key stands in the body, and is a body but for it'], ['tui/hidden-deltas', 'streamed words hold no key in two parts, and lose nothing else']],
  ['A `config.toml` with a key', ['cli/secrets', 'settings with a key that others can read are warned about']],
  ['`fetch_url` and the browser open', ['toolbox/fetch-url', '%j before anything is sent']],
  ['Names are resolved once', ['toolbox/fetch-url', 'a name is not asked for again after it was checked'], ['toolbox/browser', 'lets no page reach what the program did not allow']],
  ['Private, loopback', ['toolbox/fetch-url', '%s is public: %s'], ['toolbox/fetch-url', '%j before anything is sent']],
  ['Only the program and you', ['toolbox/fetch-url', 'the loopback server that only the program could allow'], ['config/config', 'only the home says where sessions go, and which hosts of yours the web tools may reach']],
  ['`urls: { hosts', ['toolbox/fetch-url', 'the loopback server that only the program could allow'], ['cli/ask', '--thinking says how hard the model thinks, --allow-host where the web tools may go'], ['cli/rights', 'once is for this call, and its host is closed again when it ends; in the chat is for all']],
  ['Each page has a profile', ['toolbox/browser', 'knows nothing of another one, and takes no file that a page hands over']],
  ['Whatever came from outside', ['cli/terminal', 'of any kind is shown without effect, but for newlines and tabs']],
  ['A file name or a web page', ['cli/terminal', 'are the only escapes that are ever written']],
  ['Over HTTP it listens', ['model/guard', 'off this machine a token is wanted, and it is not empty'], ['mcp/server', 'over HTTP %s is turned away'], ['mcp/command', 'over HTTP the address and a token are told'], ['mcp/server', 'a server that stands open to the network must have a token, and a port is taken once']],
  ['Whatever a connection sends', ['model/listeners', 'whatever is sent to %s, it goes on']],
  ['Clients can read', ['mcp/server', 'a name that was never handed out opens nothing'], ['mcp/server', 'what one client was given, another cannot read']],
  ['Servers that we use', ['mcp/client', 'a server sees no key of ours']],
  ['Conversations are kept in', ['session/assets', '500 equal screenshots in two sessions are one file that only its owner may read']],
  ['`sightline sessions rm`', ['session/removed-words', 'words of a removed session are overwritten, those that a fork shares stay'], ['cli/erased', 'right after an answer, nothing of a removed session is left, and what another one shows is'], ['gateway/erased', 'a conversation that is removed leaves no word of it, and takes none of another'], ['session/assets', 'collection takes what nobody refers to, spares young leases, and touches nothing else']],
  ['Requests are recorded beside', ['cli/promises', 'requests are recorded in a file of one’s own, and not at all where the settings say so'], ['record/truth', 'refused, probed and healed requests are there as they were sent']],
  ['`[requests] record', ['cli/promises', 'requests are recorded in a file of one’s own, and not at all where the settings say so']],
  ['An exported page', ['session/page', 'nothing in a session becomes markup'], ['session/page', 'a page holds the pictures, the pages of a PDF, folded thinking and the calls, and needs nothing else']],
  ['`sightline wire <transcript', ['cli/full', 'the body for %s stands before the judges of %s']],
  ['`recorder` of', ['model/recorder', 'says what left and how it ended'], ['record/truth', 'answer and send without a session are recorded by the store'], ['record/truth', 'media that %s sends are stored with their records, wherever else they lie'], ['model/recorder', 'holds no key, whatever header, address or error it stood in'], ['model/recorder', 'is made of requests with media under another SDK']],
]; // prettier-ignore

/** Advice, definitions, and where a promise ends. */
const securitySays = [
  'For someone who decides.', 'Tests hold each promise', '**Trusted**', '**Not trusted**', 'The tools `fetch_url` and the browser reach',
  'A Python tool with dependencies', 'If the system does not tell', 'The child processes are not a sandbox', 'Read large numbers',
  'A page or a file can contain', 'That helps, but', 'What it can then do', 'Trusting a project means', 'It runs in no sandbox',
  'As root, Chromium', 'All numbers are in', 'Our server on stdin', 'It speaks plain HTTP',
]; // prettier-ignore

const sdks: [string, string] = [
  'fetch/sdks',
  '$name: words, a picture and a PDF reach the model in the result of their call',
];
const same: [string, string] = ['fetch/fetch', '%s, the very same object'];

const fetchRows: Row[] = [
  ['Your agent, its loop', sdks],
  ['The wrapper looks at', sdks],
  ['If a picture or a document', sdks, ['fetch/fetch', 'a picture that an SDK sent twice is sent once']],
  ['Answers are not touched', ['fetch/fetch', 'an error of the provider that is not about media, with its body unread']],
  ['Make one wrapper', ['fetch/fetch', 'what was sent stays the beginning of what is sent next, through a batch that had to go']],
  ['A tool returns words', sdks],
  ['The tests run each real SDK', ['fetch/sdks', 'the table in the documents says what these SDKs do']],
  ['What an SDK has dropped', ['fetch/sdks', 'the table in the documents says what these SDKs do']],
  ['Media as JSON text', sdks],
  ['Blocks of one SDK', sdks],
  ['Media beside their function response', ['fetch/keeps', 'media that the AI SDK wrote beside the responses of Gemini go to the calls in their order'], ['fetch/fetch', 'a picture that an SDK sent twice is sent once']],
  ['Media in a result that reports', ['fetch/fetch', 'a picture after a failed call leaves the result that may hold words only']],
  ['A wrong media type', ['fetch/sdks', 'a PDF that was declared to be a picture arrives as a PDF']],
  ['Broken and oversized', ['fetch/fetch', 'a broken picture becomes the words that say so, and does not poison the conversation'], ['fetch/sdks', 'an Office file arrives as its text where the API takes none']],
  ['Results that were split', ['fetch/fetch', 'results that were split by a message stand together, and the message follows']],
  ['Media by their address', ['fetch/references', 'a picture by its address that a tool message cannot hold follows the results'], ['fetch/references', 'a file of Google’s inside a function response, which it takes and does not show, follows the results'], ['fetch/references', 'an address inside a function response becomes words, or what lies there where fetching is allowed']],
  ['An address that the provider', ['fetch/references', 'what a provider cannot open becomes words'], ['fetch/references', 'what a provider may not open is fetched where that is allowed']],
  ['When an answer to a request', ['fetch/references', 'pictures that a model has not seen by its own count are told'], ['fetch/references', 'a file of the user that is not seen is named in words']],
  ['It gives no provider an address', ['fetch/references', 'an address that carries a key is not put where a provider opens it']],
  ["The provider's own complaint", ['fetch/fetch', 'a medium that the provider refuses goes one rung lower, the answer comes, and it stays there'], ['fetch/fetch', 'a complaint that names a place lowers what stands there, and nothing beside it'], ['fetch/fetch', 'a picture that is refused smaller, too, becomes words']],
  ['The request is sent again', ['fetch/fetch', 'a medium that the provider refuses goes one rung lower, the answer comes, and it stays there']],
  ['If the complaint names no place', ['fetch/fetch', 'a complaint about %s, where several media stand, lowers the guilty one alone'], ['fetch/fetch', 'when several are refused, all that are suspected go lower together'], ['fetch/fetch', 'media that the model has taken before are not suspected of what came later']],
  ['When nothing helps', ['fetch/fetch', 'own answer comes back']],
  ['Its complaint about a request', ['fetch/fetch', 'a request that is too large leaves older media out']],
  ['It does not change a request', same, ['fetch/fetch', 'fields, blocks and headers that nobody here knows stay, in place'], ['fetch/fetch', 'pictures that stand where they should, with whatever their fields are']],
  ['All of that goes out', same],
  ['It does not read the answer', ['fetch/references', 'pictures that a model has not seen by its own count are told'], ['fetch/fetch', 'an error of the provider that is not about media, with its body unread']],
  ['It keeps no keys', ['fetch/keeps', 'of a request it keeps neither the key nor the words']],
  ['Bounded memory holds', ['fetch/fetch', 'what was sent stays the beginning of what is sent next, through a batch that had to go']],
  ['It opens no path', ['fetch/references', 'an address inside a function response becomes words, or what lies there where fetching is allowed'], ['fetch/keeps', 'a path and a URL in a request are not opened, whoever wrote them']],
  ['It does not fail your request', ['fetch/fetch', 'a listener that throws stops nothing'], ['fetch/keeps', 'a store that fails fails no request: it goes out as it was written']],
  ['With `@opentelemetry/api`', ['fetch/fetch', 'the active span gets the receipts as attributes']],
  ['Known APIs, by path', same],
  ['Anthropic Messages, OpenAI', sdks],
  ['Everything else passes', same],
  ['A body that is a stream', same, ['fetch/keeps', 'a compressed body passes, byte for byte']],
  ['The host tells', ['fetch/fetch', 'receipts name the model, and no key stands in the address'], ['fetch/fetch', 'a model whose name means nothing is told at once']],
  ['A model that is not in the catalog', ['fetch/fetch', 'a picture of the user for a model that nobody knows']],
  ['On Gemini before 3', ['fetch/keeps', 'media that the AI SDK wrote beside the responses of Gemini go to the calls in their order']],
  ['Media by URL', ['fetch/references', '%s where the API shows it is sent as the SDK wrote it, and told'], ['fetch/references', 'addresses and ids of Responses are sent as the SDK wrote them']],
  ['An id from another', ['fetch/references', 'what a provider cannot open becomes words']],
  ['A request that its sender', ['fetch/references', 'a request whose bytes are signed goes as it came, and that is told']],
  ['On edge workers and in browsers', ['fetch/fetch', 'where media cannot be loaded, their place is repaired all the same'], ['edge/worker', 'in workerd, pictures of tools reach a model, through fetch and through core']],
  ['Bundlers that know', ['edge/worker', 'a worker bundles for "%s" with nothing left to import']],
  ['In `sightline/core`, `headerIntake`', ['edge/worker', 'in workerd, pictures of tools reach a model, through fetch and through core']],
  ['This worker runs', ['edge/worker', 'in workerd, pictures of tools reach a model, through fetch and through core']],
  ['A request with more pictures', ['fetch/fetch', 'what was sent stays the beginning of what is sent next, through a batch that had to go']],
]; // prettier-ignore

const fetchSays = ['Change one line.'];

const readme: Row[] = [
  ['**Every model sees', ['agent/everywhere', '%s sees the chart, the report and the screen']],
  ['Libraries send base64', ['bench-matrix', 'a picture that is %s gets that verdict']],
  ['It checks what', ['laws/ownership', 'media that follow the results of a turn'], ['bench-matrix', 'every medium reaches every model, or the model is told']],
  ['Nothing is lost without', ['laws/loss', 'nothing is lost without words'], ['model/heal/heal', 'a picture that is named goes down alone, and everyone is told']],
  ['In a checkout of this repository, with Node 22.19', ['cli/program', 'an older Node is told which one is needed, the one that the package names'], ['runtimes/runtimes', 'pictures reach models, conversations are kept, files are read']],
  ['No key is needed', ['cli/newcomer', 'looks, reads, asks']],
  ['`npm install <this folder>`', ['cli/newcomer', 'looks, reads, asks']],
  ['`sightline inspect` shows', ['cli/newcomer', 'sees in the inspector what that model got'], ['inspect/app', 'a healed request tells what was refused, and the last one who broke the prefix']],
  ['`sightline doctor` says', ['cli/settings', 'doctor says of every part whether it is on, and what to do when not'], ['cli/program', 'without words it helps, with examples']],
  ['With `--json`, stdout', ['cli/ask', '--json is a line for each event, without the ledger'], ['cli/ask', 'a refusal is a line of JSON for programs'], ['cli/program', '%j is one value']],
  ['Exit codes:', ['cli/program', '%j is wrong usage'], ['cli/program', 'an interrupt ends with 130'], ['cli/sessions', 'search finds words, and says so when there are none'], ['examples', 'prints why it has no answer, and ends with 1']],
  ['Tools return what they have', ['tool/returns', 'the page says what a model gets for each value, and names no other'], ['tool/hiding-places', 'with others, in the order in which they stand, however they are mixed']],
  ['Under the SDK', ['fetch/sdks', 'the table in the documents says what these SDKs do']],
  ['In front of any client', ['cli/newcomer', 'has a client answered by another model']],
  ['`prepare` makes', ['examples', 'the example %s runs by itself']],
  ["The model's name types", ['examples', 'no example is left out']],
  ['A request also has', ['wire/body', 'has the bytes of the JSON body and the length that was told before'], ['laws/prefix', 'a conversation that grows'], ['model/heal/heal', 'a client of your own can have its request repaired']],
  ['All snippets are files', ['examples', 'no example is left out']],
  ['What a model cannot take at all', ['window/decide', 'words that stand for a medium']],
  ['**Reads files**', ['media/readers', '%s has exactly one reader, whatever its name'], child],
  ['**Any program is a tool.**', ['toolbox/executable', 'a file that answers --toolspec is a tool'], ['cli/newcomer', 'writes a tool in Python, and uses MCP both ways']],
  ['**MCP both ways**', ['cli/newcomer', 'writes a tool in Python, and uses MCP both ways'], ['mcp/server', 'a picture and a sound go as themselves']],
  ['**Keeps the prompt cache**', ['laws/budget', 'never passes what the model takes'], ['laws/budget', 'moves its prefix rarely, and says why'], ['window/retention', 'moves the prefix once in a batch']],
  ['**Sessions** survive', ['session/kill', 'writers killed lose nothing that was acknowledged'], ['session/assets', '500 equal screenshots in two sessions are one file that only its owner may read'], ['session/resume', 'a stored session gives every model the body of a fresh conversion']],
  ['**Answers in your form**', ['agent/output', '%s is asked by its own option where it has one'], ['agent/output', 'an answer that does not fit is asked for again, and the model is told what is wrong']],
  ['**Heals**', ['model/faults', 'sequences of faults end well, or with one clear error'], ['model/heal/heal', 'what is too much is made less'], ['model/heal/heal', 'thinking that is refused']],
  ['Nothing phones home', whole],
  ['**A scripted model**', ['model/script', 'may answer about what it sees (%s)']],
]; // prettier-ignore

/** What others do, where to read on, and what is made of the code or the lock files by `npm run docs`. */
const readmeSays = [
  'Tools return more', 'Much of that', 'Sightline is a', '`runAgent` does', 'In a loop of your own', '`transcript` is', '[All pages]', 'Images are decoded', 'Sightline itself',
]; // prettier-ignore

/** Sentences outside of tables, programs, pictures and headings. */
function sentencesOf(page: string): string[] {
  return page
    .replaceAll(/<!-- (?:example|placements)[^]*?<!-- end -->|```[^]*?```/g, '')
    .split(/\n\n|\n(?=- |\| |#)/)
    .map((block) => block.replaceAll(/\s+/g, ' ').trim().replace(/^- /, ''))
    .filter((block) => block !== '' && !/^(?:[#|]|!\[)/.test(block))
    .flatMap((block) => block.split(/(?<=[.:!?])\s+(?=[A-Z`*])/));
}

describe.each([
  ['README.md', readme, readmeSays],
  ['docs/security.md', security, securitySays],
  ['docs/fetch.md', fetchRows, fetchSays],
] as const)('%s', (name, rows, says) => {
  const sentences = sentencesOf(readFileSync(name, 'utf8'));

  test('every sentence has a test, or promises nothing', () => {
    const known = [...rows.map(([begins]) => begins), ...says];
    expect(sentences.filter((sentence) => !known.some((begins) => sentence.startsWith(begins)))).toEqual([]);
    expect(known.filter((begins) => !sentences.some((sentence) => sentence.startsWith(begins)))).toEqual([]);
  });

  test('every test that is named is there', () => {
    const files = new Map<string, string>();
    const lost = rows.flatMap(([begins, ...held]) =>
      held.flatMap(([file, title]) => {
        const text = files.get(file) ?? readFileSync(`test/${file}.test.ts`, 'utf8');
        files.set(file, text);
        return text.includes(title) ? [] : [`${begins}: ${file} has no "${title}"`];
      }),
    );
    expect(lost).toEqual([]);
    expect(rows.filter(([, ...held]) => held.length === 0)).toEqual([]);
  });
});

test('every test that a page names is there, and every line of the threat model names one', () => {
  const pages = ['SECURITY.md', 'README.md', 'AGENTS.md', 'REVIEW.md', ...globSync('docs/*.md')];
  const named = pages.flatMap((page) => readFileSync(page, 'utf8').match(/\btest\/[-\w/]+\.test\.ts\b/g) ?? []);
  const generic = /^test\/x|<name>/; // stands for any
  expect([...new Set(named)].filter((file) => !generic.test(file) && !existsSync(file))).toEqual([]);
  const lines = readFileSync('SECURITY.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => !/\.test\.ts`/.test(line))).toEqual([]);
});
