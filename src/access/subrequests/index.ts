export { isErrorPageRefused } from './error-pages';
export { type AskedAgain, sectionsAskedAgain } from './index-files';
export { IndexFilesElsewhere } from './index-files-elsewhere';
export { asksAboutEachUrl } from './internal-redirects';
