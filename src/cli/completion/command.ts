// `sightline completion`: its options.
import type { Define } from '../parser.ts';

export const define: Define = (command, finish) => {
  command
    .argument('<shell>', 'bash, zsh or fish; models, sessions or tools prints the names that the scripts offer')
    .addHelpText(
      'after',
      `
Examples:
  sightline completion bash >> ~/.bashrc
  sightline completion zsh > "\${fpath[1]}/_sightline"
  sightline completion fish > ~/.config/fish/completions/sightline.fish`,
    )
    .action(async (shell: string) => {
      const { completionCommand } = await import('./completion.ts');
      finish(await completionCommand(shell, command.parent ?? command));
    });
};
