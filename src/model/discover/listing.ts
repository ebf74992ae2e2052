// What endpoints tell about their models, each in its own words → names and what we can state about them. What an
// endpoint does not tell stays with the catalog.
import { isRecord } from '../../content/json.ts';
import type { Capabilities, ProfileOverrides } from '../../window/profile.ts';

/** One model of an endpoint. */
export type Listed = { id: string; overrides: ProfileOverrides };

type Row = Record<string, unknown>;

type Listing = {
  /** Where the list is, after the base of the endpoint; an absolute path begins at the server's root. */
  path: string;
  /** One entry of the list, or nothing when it is no model to talk to. */
  read: (row: Row) => Listed | undefined;
  /** Where a server tells more when it is asked about one model. */
  about?: { path: string; body?: (id: string) => object; read: (row: Row) => Loose };
};

const plain: Listing = { path: 'models', read: (row) => named(row['id']) };

/** How an endpoint lists its models; most do it as OpenAI does. */
export function listingOf(endpoint: string): Listing {
  return listings[endpoint] ?? plain;
}

const listings: Record<string, Listing> = {
  anthropic: {
    path: 'models?limit=1000',
    read: (row) =>
      named(row['id'], {
        capabilities: {
          vision: supported(row, 'image_input'),
          nativePdf: supported(row, 'pdf_input'),
          thinking: supported(row, 'thinking'),
          citations: supported(row, 'citations'),
        },
        contextTokens: row['max_input_tokens'],
        maxOutputTokens: row['max_tokens'],
      }),
  },
  gemini: {
    path: 'models?pageSize=1000',
    read: (row) => {
      const methods = row['supportedGenerationMethods'];
      if (Array.isArray(methods) && !methods.includes('generateContent')) return undefined;
      const id = typeof row['name'] === 'string' ? row['name'].replace(/^models\//, '') : undefined;
      return named(id, { contextTokens: row['inputTokenLimit'] });
    },
  },
  ollama: {
    path: 'api/tags',
    read: (row) => named(row['model'] ?? row['name'], ollamaSays(row)),
    about: { path: '/api/show', body: (model) => ({ model }), read: ollamaSays },
  },
  openrouter: {
    path: 'models',
    read: (row) => {
      const kinds = words(isRecord(row['architecture']) ? row['architecture']['input_modalities'] : undefined);
      const takes = words(row['supported_parameters']);
      return named(row['id'], {
        capabilities: {
          vision: kinds?.includes('image'),
          nativePdf: kinds?.includes('file'),
          audioInput: kinds?.includes('audio'),
          thinking: takes?.includes('reasoning'),
        },
        contextTokens: row['context_length'],
      });
    },
  },
  mistral: {
    path: 'models',
    read: (row) => {
      const can = isRecord(row['capabilities']) ? row['capabilities'] : {};
      if (can['completion_chat'] === false) return undefined;
      const capabilities = { vision: can['vision'], audioInput: can['audio'] };
      return named(row['id'], { capabilities, contextTokens: row['max_context_length'] });
    },
  },
  groq: { path: 'models', read: (row) => named(row['id'], { contextTokens: row['context_window'] }) },
  vllm: { path: 'models', read: (row) => named(row['id'], { contextTokens: row['max_model_len'] }) },
  lmstudio: {
    path: '/api/v0/models',
    read: (row) => {
      if (row['type'] === 'embeddings') return undefined;
      const capabilities = { vision: row['type'] === undefined ? undefined : row['type'] === 'vlm' };
      return named(row['id'], { capabilities, contextTokens: row['max_context_length'] });
    },
  },
  llamacpp: { ...plain, about: { path: '/props', read: llamaSays } },
};

/** The entries of a list, under whichever name it has. */
export function rowsOf(body: unknown): Row[] {
  const list = isRecord(body) ? (body['data'] ?? body['models']) : body;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** What Ollama says about one model, in its list or when it is asked for that model. */
function ollamaSays(row: Row): Loose {
  const can = words(row['capabilities']);
  const info = isRecord(row['model_info']) ? row['model_info'] : {};
  const [, length] = Object.entries(info).find(([key]) => key.endsWith('.context_length')) ?? [];
  const details = isRecord(row['details']) ? row['details']['context_length'] : undefined;
  const window = length ?? details;
  return {
    capabilities: {
      vision: can?.includes('vision'),
      audioInput: can?.includes('audio'),
      thinking: can?.includes('thinking'),
    },
    // The server sets aside memory for the whole window, so no more of it is asked for than is usual.
    contextTokens: typeof window === 'number' ? Math.min(window, 32_768) : undefined,
  };
}

/** What a llama.cpp server says about the model it has loaded. */
function llamaSays(row: Row): Loose {
  const kinds = isRecord(row['modalities']) ? row['modalities'] : {};
  const settings = isRecord(row['default_generation_settings']) ? row['default_generation_settings'] : {};
  return {
    capabilities: { vision: kinds['vision'], audioInput: kinds['audio'] },
    contextTokens: settings['n_ctx'],
  };
}

type Loose = {
  capabilities?: { [Name in keyof Capabilities]?: unknown };
  contextTokens?: unknown;
  maxOutputTokens?: unknown;
};

function named(id: unknown, says: Loose = {}): Listed | undefined {
  return typeof id === 'string' && id !== '' ? { id, overrides: overridesOf(says) } : undefined;
}

/** Only what was really told. */
export function overridesOf({ capabilities = {}, contextTokens, maxOutputTokens }: Loose): ProfileOverrides {
  const told = Object.entries(capabilities).filter(([, on]) => typeof on === 'boolean');
  return {
    ...(told.length > 0 && { capabilities: Object.fromEntries(told) }),
    ...(counted(contextTokens) && { contextTokens }),
    ...(counted(maxOutputTokens) && { maxOutputTokens }),
  };
}

function counted(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function supported(row: Row, name: string): unknown {
  const all = isRecord(row['capabilities']) ? row['capabilities'] : {};
  const one = all[name];
  return isRecord(one) ? one['supported'] : undefined;
}

function words(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : undefined;
}
