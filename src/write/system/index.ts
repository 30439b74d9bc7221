/**
 * The file system's operations, and who else has a say in where a path leads.
 *
 * - `ops`: the operations, to be replaced in tests
 * - `directories`: directories by descriptor, so that no link can be put in their place
 * - `attributes`: owner, mode, ACLs and times, by the system's own programs
 * - `trusted-path`: whether somebody else could have chosen what a path leads to
 */
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
