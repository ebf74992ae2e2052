export { inMessages as default } from './gateway-ours.ts';
