// The one importer of the view library.
export { render } from 'preact';
export type { ComponentChildren, JSX } from 'preact';
export { useEffect, useMemo, useRef } from 'preact/hooks';
export { computed, effect, signal } from '@preact/signals';
export type { ReadonlySignal, Signal } from '@preact/signals';
