// In a file of its own, so that it is loaded only for a page.
export { placesOf } from '../../ask';
