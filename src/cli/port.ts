// The value of an option that names a port.
import { InvalidArgumentError } from './parser.ts';

export function portNumber(value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  }
  return port;
}
