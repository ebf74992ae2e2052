// The version of the package, as the program tells it.
export { packageVersion as version } from '../config/package.ts';
