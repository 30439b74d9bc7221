export { findsPattern, forgetPatterns } from './match';
