import { advice } from '../common/advice';

export default advice({
  id: 'suexec-user-group',
  changes: ['C35'],
  title: 'SuexecUserGroup without suexec',
  why: 'Without a usable suexec program, 2.2 warns and 2.4 does not start.',
  docs: ['mod_suexec: SuexecUserGroup', 'modules/generators/mod_suexec.c: set_suexec_ugid'],
  names: ['SuexecUserGroup'],
  level: 'info',
  messageFor: () =>
    '2.4 does not start if suexec is missing, not owned by root or not setuid, where 2.2 only warned: check it before the upgrade',
});
