// The tools that other agents get from us: the shipped ones, and the user's executables.
import { readSettings } from '../../config/config.ts';
import type { ToolsFor } from '../../mcp/memory.ts';
import { executableTools } from '../../toolbox/executable/tools.ts';
import { shippedTools } from '../../toolbox/shipped.ts';

/** Shipped tools are made for each client; executables run where we were started. */
export async function servedTools(): Promise<ToolsFor> {
  const settings = readSettings().tools;
  const { tools: executables } = await executableTools({ project: process.cwd(), settings });
  return (client) => {
    const shipped = shippedTools(client);
    const names = new Set(shipped.tools.map(({ name }) => name));
    const all = [...shipped.tools, ...executables.filter(({ name }) => !names.has(name))];
    return { tools: all.filter(({ name }) => settings[name]?.enabled ?? true), close: () => shipped.close() };
  };
}
