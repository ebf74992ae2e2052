// The terminal library; the only file that imports it.
export {
  CombinedAutocompleteProvider,
  Container,
  decodeKittyPrintable,
  Editor,
  getCellDimensions,
  Markdown,
  isKeyRelease,
  matchesKey,
  ProcessTerminal,
  setCapabilityOverrides,
  setCellDimensions,
  Text,
  TuiMainScreen,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from '@earendil-works/pi-tui';
export type {
  AutocompleteItem,
  AutocompleteProvider,
  Component,
  EditorTheme,
  MarkdownTheme,
  Terminal,
} from '@earendil-works/pi-tui';
