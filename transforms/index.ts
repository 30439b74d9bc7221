import { checkRegistry } from '../src/engine';
import access from './order-allow-deny';
import maxClients from './max-clients';
import maxRequestsPerChild from './max-requests-per-child';

/** Every transform, in the order their findings win where two overlap. */
export const transforms = checkRegistry([access, maxClients, maxRequestsPerChild]);
