export { tellingLine } from './telling-lines';
