import { advice } from '../common/advice';

export default advice({
  id: 'request-header-underscore',
  changes: ['C33'],
  title: 'Request headers that programs do not see',
  why: '2.4 gives CGI programs only headers with letters, digits and hyphens in their names; 2.2 turned every other character into an underscore.',
  docs: ['env: Environment Variables and CGI', 'server/util_script.c: ap_add_common_vars'],
  names: ['RequestHeader'],
  findingFor: ({ args }) => {
    const [action, name] = args.map(({ value }) => value);
    return name !== undefined &&
      /^(?:add|append|merge|set)$/i.test(action!) &&
      !/^[A-Za-z0-9-]+:?$/.test(name)
      ? {
          level: 'warning',
          message: `CGI programs no longer see the header ${name}: use only letters, digits and hyphens in its name`,
        }
      : undefined;
  },
});
