export { type ConfigTest, configTest } from './ask';
export { ConfigTestError } from './error';
export { askInstalled, type Installed } from './installed';
