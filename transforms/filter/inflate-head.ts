import { advice } from '../common/advice';
import { hasBackend } from '../common/servers';
import { FILTER_DIRECTIVES, addsFilter } from '../common/words';

export default advice({
  id: 'inflate-head',
  changes: ['F40'],
  title: 'HEAD through INFLATE',
  why: 'Where a backend names gzip in its answer to HEAD, INFLATE of 2.4 looks for the end of a compressed body that is not there, and ends the connection without an answer (AH01401). 2.2 hands the headers on.',
  docs: ['mod_deflate: output decompression', 'modules/filters/mod_deflate.c: inflate_out_filter'],
  names: FILTER_DIRECTIVES,
  onlyIf: (index) =>
    hasBackend(index) &&
    // Nothing comes compressed where backends are not told that it may.
    !index.someDirective(
      ['RequestHeader'],
      ({ args }) => /^unset$/i.test(args[0]?.value ?? '') && /^accept-encoding$/i.test(args[1]?.value ?? ''),
    ),
  level: 'warning',
  messageFor: (node) =>
    addsFilter(node, 'INFLATE')
      ? 'HEAD for what a backend compresses gets no answer from 2.4, since there is nothing to unpack: RequestHeader unset Accept-Encoding beside this line makes the backend send all as it is'
      : undefined,
});
