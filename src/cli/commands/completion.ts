// In a file of its own, so that it is loaded only for this command.
export { completionScript } from '../manual';
