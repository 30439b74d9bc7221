import type { Transform } from '../../src/engine';
import orderAllowDeny from './order-allow-deny';

export const access: readonly Transform[] = [orderAllowDeny];
