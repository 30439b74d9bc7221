export { cli } from './cli';
export { type Io, type OutputStream, type Services } from './io';
