export { mayBeTerminal, readAll, writeAll } from './descriptor';
export { WriteError, writePlan } from './write';
