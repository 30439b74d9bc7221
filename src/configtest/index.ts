export { type ConfigTestOptions, configTest } from './run-configtest';
export { ConfigTestError } from './error';
export { askInstalled, type Installed } from './installed';
