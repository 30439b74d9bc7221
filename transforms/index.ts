import { checkRegistry } from '../src/engine';
import backslashLineEnd from './backslash-line-end';
import access from './order-allow-deny';
import maxClients from './max-clients';
import maxRequestsPerChild from './max-requests-per-child';
import nameVirtualHost from './name-virtual-host';
import { unknownDirective } from './unknown-directive';

const owners = [access, maxClients, maxRequestsPerChild, nameVirtualHost];

/** Every transform, in the order their findings win where two overlap. */
export const transforms = checkRegistry([
  ...owners,
  unknownDirective(owners.flatMap(({ directives }) => directives)),
  backslashLineEnd,
]);
