import type { Task } from '../../src/engine';

/** Asked wherever the answer decides what is written, or whether files are refused. */
export const PHP_TASK: Task = {
  text: 'say how PHP runs with 2.4: through PHP-FPM, as a module (php=module) or not at all (php=none)',
  option: '--answer php=fpm:/run/php/php-fpm.sock',
};

/** @param subject names of modules, or lines that only a module reads */
export function moduleTask(subject: string): Task {
  return {
    text: 'install these modules for 2.4 (FILE holds what its httpd -M prints then), or remove their lines',
    option: '--modules FILE',
    subject,
  };
}

/** @param subject the directive that is not set */
export function defaultTask(subject: string): Task {
  return {
    text: '2.4 changed these defaults: keep those of 2.2 with this command, or set a value of your own',
    option: '--pin-defaults',
    subject,
  };
}
