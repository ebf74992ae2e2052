// `sightline serve key NAME`: a new key for the gateway. The key itself is told once and kept nowhere.
import { createHash, randomBytes } from 'node:crypto';
import { done } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { say, tell } from '../terminal.ts';

export function newKeyCommand(name: string): ExitCode {
  const key = `sl-${randomBytes(24).toString('base64url')}`;
  const hash = createHash('sha256').update(key).digest('hex');
  tell('The key, shown only now:');
  say(key);
  tell('');
  tell('In config.toml of your home:');
  tell(`[serve.keys.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}]`);
  tell(`hash = "sha256:${hash}"`);
  return done;
}
