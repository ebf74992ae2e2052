// `sightline mcp …` alone, for tests that need it as a program.
import { define } from '../../../src/cli/mcp/command.ts';
import { Command } from '../../../src/cli/parser.ts';

const command = new Command('mcp');
define(command, (code) => (process.exitCode = code));
await command.parseAsync(process.argv.slice(2), { from: 'user' });
