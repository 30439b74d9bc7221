import type { Transform } from '../../src/engine';
import documentRootOfHost from './document-root-of-host';
import nameVirtualHost from './name-virtual-host';

export const vhost: readonly Transform[] = [nameVirtualHost, documentRootOfHost];
