export { chooseChanges } from './choose';
export { type ChangeUnit, unitsOf } from './units';
export { declinerFor } from './only';
export { changedSince, PlanError, planFor, planText, readPlan, type SavedPlan } from './plan-file';
