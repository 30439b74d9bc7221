import { isKnownIn } from '../../src/httpd/lifespan';
import { nameOf } from '../../src/httpd/release';
import { advice } from '../common/advice';

export default advice({
  id: 'substitute-long-line',
  changes: ['F06'],
  title: 'Substitute fails at lines of more than 1 MB',
  why: '2.2 substitutes in lines of any length. 2.4 fails the response at a line of more than 1 MB, unless SubstituteMaxLineLength is larger.',
  docs: ['mod_substitute: SubstituteMaxLineLength'],
  names: ['Substitute'],
  unless: ['SubstituteMaxLineLength'],
  once: true,
  level: 'info',
  messageFor: (_, __, ___, target) =>
    `Substitute fails at lines of more than 1 MB in 2.4: ${
      isKnownIn('directive', 'SubstituteMaxLineLength', target)
        ? 'set SubstituteMaxLineLength if pages may have longer lines'
        : `${nameOf(target)} does not have SubstituteMaxLineLength yet, which allows longer lines`
    }`,
});
