export { inChat as default } from './gateway-ours.ts';
