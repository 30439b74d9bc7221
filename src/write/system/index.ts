export { type Attributes, attributes } from './attributes';
export { Directories } from './directories';
export {
  CHANGE,
  CREATE,
  DIRECTORY,
  type FileOps,
  lstatIfAny,
  raw,
  READ,
  readWhole,
  realOps,
  type Stat,
  unlinkIfAny,
  writeWhole,
} from './ops';
export { type Trust, trustedPath, UntrustedError, untrustedReason } from './trusted-path';
