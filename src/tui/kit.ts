// The terminal library; the only file that imports it.
export {
  CombinedAutocompleteProvider,
  Container,
  Editor,
  Markdown,
  matchesKey,
  ProcessTerminal,
  Text,
  TuiMainScreen,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from '@earendil-works/pi-tui';
export type { Component, EditorTheme, MarkdownTheme, SlashCommand, Terminal, TUI } from '@earendil-works/pi-tui';
