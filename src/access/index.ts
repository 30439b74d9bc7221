export { type AccessFinding, translateAccess } from './translate';
