// The real program in a real terminal: tmux holds the screen, keys go in, what a person would see comes out.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether this machine has tmux; tests that need it are skipped with one line where it does not. */
export const hasTmux: boolean = (() => {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('tmux is not installed: tests of the chat in a real terminal are skipped.');
    return false;
  }
})();

export type Screen = {
  /** Types words, then presses keys by tmux's names. */
  type: (words: string, ...keys: string[]) => void;
  /** Pastes, as a terminal that marks what was pasted. */
  paste: (words: string) => void;
  /** Sends a slash command. */
  command: (words: string) => void;
  /** The screen as soon as it shows this, colours left out. */
  until: (shown: RegExp | string) => Promise<string>;
  text: () => string;
  /** The screen with its colours. */
  styled: () => string;
  resize: (columns: number, rows: number) => void;
  ended: () => boolean;
  close: () => void;
};

export type Opening = { columns?: number; rows?: number; cwd: string; env: Record<string, string> };

/** Opens a terminal of its own, on a socket of its own. */
export function openScreen(command: readonly string[], { columns = 100, rows = 40, cwd, env }: Opening): Screen {
  const socket = `sightline-${randomUUID()}`;
  const tmux = (...words: string[]): string =>
    execFileSync('tmux', ['-L', socket, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const quoted = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  tmux(
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-s',
    'chat',
    '-x',
    `${columns}`,
    '-y',
    `${rows}`,
    '-c',
    cwd,
    ...variables,
    quoted,
  );
  const text = (): string => tmux('capture-pane', '-p', '-t', 'chat');
  const textOrEnd = (): string | undefined => {
    try {
      return text();
    } catch {
      return undefined;
    }
  };
  const ended = (): boolean => {
    try {
      tmux('has-session', '-t', 'chat');
      return false;
    } catch {
      return true;
    }
  };
  return {
    text,
    styled: () => tmux('capture-pane', '-p', '-e', '-t', 'chat'),
    paste: (words) => {
      tmux('set-buffer', '--', words);
      tmux('paste-buffer', '-p', '-t', 'chat');
    },
    ended,
    type: (words, ...keys) => {
      if (words !== '') tmux('send-keys', '-t', 'chat', '-l', '--', words);
      for (const key of keys) tmux('send-keys', '-t', 'chat', key);
    },
    command: (words) => {
      // Pasted, so that no list of completions opens.
      tmux('set-buffer', '--', words);
      tmux('paste-buffer', '-p', '-t', 'chat');
      tmux('send-keys', '-t', 'chat', 'Enter');
    },
    until: async (shown) => {
      let last = '';
      for (const end = Date.now() + 240_000; Date.now() < end;) {
        const now = textOrEnd();
        if (now === undefined) throw new Error(`The program ended before it showed ${String(shown)}:\n${last}`);
        last = now;
        if (typeof shown === 'string' ? last.includes(shown) : shown.test(last)) return last;
        await sleep(100);
      }
      throw new Error(`The screen never showed ${String(shown)}:\n${last}`);
    },
    resize: (width, height) => void tmux('resize-window', '-t', 'chat', '-x', `${width}`, '-y', `${height}`),
    close: () => {
      try {
        tmux('kill-server');
      } catch {
        // it has ended by itself
      }
    },
  };
}
