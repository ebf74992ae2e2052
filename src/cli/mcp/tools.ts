// The tools that other agents get from us: the shipped ones, and the user's executables.
import { readSettings } from '../../config/config.ts';
import type { ToolsFor } from '../../mcp/memory.ts';
import { executableTools } from '../../toolbox/executable/tools.ts';
import { attachTool } from '../../message/attached.ts';
import { shippedTools, switchedOn } from '../../toolbox/shipped.ts';
import { ownLimits } from '../limits.ts';

/** Shipped tools are made for each client; executables run where we were started. */
export async function servedTools(): Promise<ToolsFor> {
  const { tools: settings, web } = readSettings();
  const made = { limits: ownLimits(), urls: { hosts: web.hosts ?? [] } };
  const { tools: executables } = await executableTools({ project: process.cwd(), settings });
  return (client) => {
    const shipped = shippedTools({ ...made, ...client });
    const tools = switchedOn(shipped.list, settings)
      .map(({ tool }) => tool)
      .filter(({ name }) => name !== attachTool); // the answer is the client's own
    const names = new Set(tools.map(({ name }) => name));
    return { tools: [...tools, ...executables.filter(({ name }) => !names.has(name))], close: () => shipped.close() };
  };
}
