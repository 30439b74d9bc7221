export { cli } from './cli';
export { type Io, type Output, type Services } from './io';
