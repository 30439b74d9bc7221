export { misnamedModule } from './sections';
export { tellingLine } from './telling-lines';
