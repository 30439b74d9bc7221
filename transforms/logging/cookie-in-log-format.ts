import { advice } from '../common/advice';

export default advice({
  id: 'cookie-in-log-format',
  changes: ['L06'],
  title: 'Cookies in log formats',
  why: 'For %{name}C, early releases of 2.2 log the first cookie whose name ends in "name". 2.4 logs only the cookie with exactly that name.',
  docs: ['mod_log_config: Custom Log Formats', 'modules/loggers/mod_log_config.c: log_cookie'],
  names: ['CustomLog', 'LogFormat'],
  level: 'info',
  messageFor: (node) => {
    if (!node.rest.includes('}C')) return undefined;
    const format = node.args.find(({ value }) => /%[^a-zA-Z%{]*\{[^}]+\}C/.test(value))?.value;
    const name = format === undefined ? undefined : /\{([^}]+)\}C/.exec(format)?.[1];
    return name === undefined
      ? undefined
      : `2.4 logs only the cookie ${name}; early releases of 2.2 logged any cookie whose name ends in ${name}: check that this is the full name`;
  },
});
