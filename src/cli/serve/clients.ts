// The clients that can be pointed at the gateway: what each has to be told, as it is started, and as a person would do it.

export type GatewayClient = {
  name: string;
  program: string;
  /** How its users call it. */
  title: string;
  start: (at: GatewayPlace) => ClientStart;
  /** Lines for a shell, or what to put into which file. */
  paste: (at: GatewayPlace) => string[];
};

/** Where the gateway is, the key it takes, and the model that a client asks for. */
export type GatewayPlace = { url: string; key: string; model: string };

export type ClientStart = {
  env: Record<string, string>;
  /** Variables of the person that would lead it elsewhere. */
  without?: readonly string[];
  args: readonly string[];
  /** A file in a folder of its own, named by a variable. */
  folder?: { variable: string; file: string; text: string };
};

function exported(variables: Record<string, string>): string[] {
  return [`export ${Object.entries(variables).map(([name, value]) => `${name}=${value}`).join(' ')}`]; // prettier-ignore
}

const claude = ({ url, key }: GatewayPlace): Record<string, string> => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_AUTH_TOKEN: key,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
});

const codex = ({ url, model }: GatewayPlace): string[] => {
  const provider = `{name="sightline",base_url="${url}/v1",wire_api="responses",env_key="SIGHTLINE_GATEWAY_KEY"}`;
  return ['-m', model, '-c', 'model_provider="sightline"', '-c', `model_providers.sightline=${provider}`];
};

const gemini = ({ url, key }: GatewayPlace): Record<string, string> => ({
  GOOGLE_GEMINI_BASE_URL: url,
  GEMINI_API_KEY: key,
});

const qwen = ({ url, key, model }: GatewayPlace): Record<string, string> => ({
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: key,
  OPENAI_MODEL: model,
});

const opencode = ({ url, key, model }: GatewayPlace): object => ({
  provider: {
    sightline: {
      npm: '@ai-sdk/openai-compatible',
      name: 'sightline',
      options: { baseURL: `${url}/v1`, apiKey: key },
      models: {
        [model]: { name: model, attachment: true, modalities: { input: ['text', 'image', 'pdf'], output: ['text'] } },
      },
    },
  },
});

const pi = ({ url, key, model }: GatewayPlace): object => ({
  providers: {
    sightline: {
      baseUrl: `${url}/v1`,
      apiKey: key,
      api: 'openai-completions',
      models: [
        {
          id: model,
          name: model,
          reasoning: false,
          input: ['text', 'image'],
          cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
          contextWindow: 200_000,
          maxTokens: 16_000,
        },
      ],
    },
  },
});

export const gatewayClients: readonly GatewayClient[] = [
  {
    name: 'claude',
    program: 'claude',
    title: 'Claude Code',
    start: (at) => ({ env: claude(at), without: ['ANTHROPIC_API_KEY'], args: [] }),
    paste: (at) => exported(claude(at)),
  },
  {
    name: 'codex',
    program: 'codex',
    title: 'Codex',
    start: (at) => ({ env: { SIGHTLINE_GATEWAY_KEY: at.key }, args: codex(at) }),
    paste: ({ url, key, model }) => [
      ...exported({ SIGHTLINE_GATEWAY_KEY: key }),
      `~/.codex/config.toml: model = "${model}", model_provider = "sightline", and`,
      `[model_providers.sightline] name = "sightline", base_url = "${url}/v1", wire_api = "responses", env_key = "SIGHTLINE_GATEWAY_KEY"`,
    ],
  },
  {
    name: 'gemini',
    program: 'gemini',
    title: 'Gemini CLI',
    start: (at) => ({ env: gemini(at), args: ['-m', at.model] }),
    paste: (at) => exported(gemini(at)),
  },
  {
    name: 'opencode',
    program: 'opencode',
    title: 'OpenCode',
    start: (at) => ({
      env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...opencode(at), model: `sightline/${at.model}` }) },
      args: [],
    }),
    paste: (at) => [`opencode.json: ${JSON.stringify(opencode(at))}`],
  },
  {
    name: 'qwen',
    program: 'qwen',
    title: 'Qwen Code',
    start: (at) => ({ env: qwen(at), args: ['--auth-type', 'openai'] }),
    paste: (at) => exported(qwen(at)),
  },
  {
    name: 'pi',
    program: 'pi',
    title: 'pi',
    start: (at) => ({
      env: {},
      args: ['--provider', 'sightline', '--model', at.model],
      folder: { variable: 'PI_CODING_AGENT_DIR', file: 'models.json', text: JSON.stringify(pi(at)) },
    }),
    paste: (at) => [`~/.pi/agent/models.json: ${JSON.stringify(pi(at))}`],
  },
];
