import type { Transform } from '../../src/engine';
import nameVirtualHost from './name-virtual-host';

export const vhost: readonly Transform[] = [nameVirtualHost];
