import type { Transform } from '../../src/engine';
import buildDependentDirective from './build-dependent-directive';
import configNice from './config-nice';
import debianLayout from './debian-layout';
import ifModuleName from './if-module-name';
import loadModule from './load-module';
import thirdPartyModule from './third-party-module';

export const modules: readonly Transform[] = [
  ifModuleName,
  loadModule,
  thirdPartyModule,
  debianLayout,
  configNice,
  buildDependentDirective,
];
