// The coding agents that the gateway is tried with: where each comes from, what it is told beside where the gateway is, and
// which of its tools reads a file.

export type RealClient = {
  /** As `sightline serve` knows it. */
  name: string;
  package: string;
  version: string;
  /** Files that its home needs before it starts, by their path there. */
  files?: Record<string, string>;
  env?: Record<string, string>;
  args: (prompt: string) => string[];
  /** The same in the conversation that was the last. */
  goOn: (prompt: string) => string[];
  /** The calls that a model makes to look at these files, by the tools that were offered. */
  look: (tools: readonly string[], files: readonly string[]) => { name: string; input: object }[];
  /** Whether it sends the bytes of a PDF that its tool has read. */
  sendsPdf: boolean;
  /** A name of a model that it takes for one that sees. */
  asks?: string;
};

const reading =
  (name: string, field: string): RealClient['look'] =>
  (tools, files) =>
    tools.includes(name) ? files.map((path) => ({ name, input: { [field]: path } })) : [];

const unasked = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];

export const realClients: readonly RealClient[] = [
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    env: { DISABLE_AUTOUPDATER: '1' },
    args: (prompt) => ['-p', prompt, '--model', 'default', '--allowedTools', 'Read'],
    goOn: (prompt) => ['-c', '-p', prompt, '--model', 'default', '--allowedTools', 'Read'],
    look: reading('Read', 'file_path'),
    sendsPdf: true,
  },
  {
    name: 'codex',
    package: '@openai/codex',
    version: '0.166.0',
    files: { '.codex/config.toml': '' },
    args: (prompt) => ['exec', ...unasked, prompt],
    goOn: (prompt) => ['exec', 'resume', '--last', ...unasked, prompt],
    look: (tools, files) =>
      reading('view_image', 'path')(
        tools,
        files.filter((file) => file.endsWith('.png')),
      ),
    sendsPdf: false, // it has a tool for pictures alone
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    files: {
      '.gemini/settings.json':
        '{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false}}',
    },
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: 'true' },
    args: (prompt) => ['-p', prompt, '--yolo'],
    goOn: (prompt) => ['--resume', 'latest', '-p', prompt, '--yolo'],
    look: reading('read_file', 'file_path'),
    sendsPdf: true,
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    args: (prompt) => ['run', prompt],
    goOn: (prompt) => ['run', '-c', prompt],
    look: reading('read', 'filePath'),
    sendsPdf: true,
  },
  {
    name: 'qwen',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    args: (prompt) => ['-p', prompt, '--yolo'],
    goOn: (prompt) => ['-c', '-p', prompt, '--yolo'],
    look: reading('read_file', 'file_path'),
    sendsPdf: false, // it wants pdftotext
    asks: 'qwen3-vl-plus', // of other names it thinks that they cannot see
  },
  {
    name: 'pi',
    package: '@earendil-works/pi-coding-agent',
    version: '0.87.1',
    env: { PI_OFFLINE: '1' },
    args: (prompt) => ['-p', prompt],
    goOn: (prompt) => ['-c', '-p', prompt],
    look: reading('read', 'path'),
    sendsPdf: false, // it reads pictures alone
  },
];
