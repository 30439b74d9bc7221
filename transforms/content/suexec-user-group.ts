import { advice } from '../shared/advice';

export default advice({
  id: 'suexec-user-group',
  changes: ['C35'],
  title: 'SuexecUserGroup without suexec',
  why: '2.2 warned when suexec was not there; 2.4 does not start.',
  docs: ['mod_suexec: SuexecUserGroup', 'modules/generators/mod_suexec.c: set_suexec_ugid'],
  names: ['SuexecUserGroup'],
  findingFor: () => ({
    level: 'info',
    message: '2.4 does not start if suexec is missing, not owned by root or not setuid; 2.2 only warned',
  }),
});
