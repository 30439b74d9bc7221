export { type ConfigTest, configTest } from './ask';
export { ConfigTestError } from './error';
