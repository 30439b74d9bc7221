export { mayBeTerminal, writeAll } from './descriptor';
export { WriteError, writePlan } from './write';
