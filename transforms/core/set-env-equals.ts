import { advice } from '../common/advice';

export default advice({
  id: 'set-env-equals',
  changes: ['C32'],
  title: 'SetEnv with an equals sign',
  why: 'SetEnv takes a name and a value; 2.4 warns if the name contains an equals sign.',
  docs: ['mod_env: SetEnv', 'modules/metadata/mod_env.c: add_env_module_vars_set'],
  names: ['SetEnv'],
  level: 'info',
  messageFor: ({ args }) =>
    args[0]?.value.includes('=') === true
      ? `2.4 warns that the variable name ${args[0].value} contains an equals sign: write a space instead if a value was intended`
      : undefined,
});
