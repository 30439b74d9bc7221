import type { Transform } from '../../src/engine';
import handlerWithoutModule from './handler-without-module';
import phpKeptOut from './php-kept-out';
import phpSettings from './php-settings';

export const handlers: readonly Transform[] = [handlerWithoutModule, phpKeptOut, phpSettings];
