import type { Transform } from '../../src/engine';
import buildDependentDirective from './build-dependent-directive';
import configNice from './config-nice';
import debianLayout from './debian-layout';
import ifModuleLacked from './if-module-lacked';
import ifModuleName from './if-module-name';
import ifModuleProtection from './if-module-protection';
import loadModule from './load-module';
import mpmBlockAboveLoad from './mpm-block-above-load';
import mpmBlockUnread from './mpm-block-unread';
import mpmDirective from './mpm-directive';
import packageLayout from './package-layout';
import thirdPartyModule from './third-party-module';

export const modules: readonly Transform[] = [
  ifModuleName,
  ifModuleProtection,
  ifModuleLacked,
  loadModule,
  thirdPartyModule,
  debianLayout,
  packageLayout,
  configNice,
  buildDependentDirective,
  mpmDirective,
  mpmBlockAboveLoad,
  mpmBlockUnread,
];
