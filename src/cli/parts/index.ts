export { chooseChanges, type ChoiceContext } from './choose';
export type { ChangeUnit } from './units';
export { declinerFor } from './only';
