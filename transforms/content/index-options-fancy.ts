import { holds } from '../../src/httpd/facts';
import { advice } from '../common/advice';

export default advice({
  id: 'index-options-fancy',
  changes: ['F10'],
  title: 'Directory listings show dates in another form',
  why: '2.2 writes dates in listings as 21-Nov-2012 09:30, 2.4 as 2012-11-21 09:30. IndexIgnore is inherited as before; the new IndexIgnoreReset clears its list.',
  docs: ['mod_autoindex: IndexOptions UseOldDateFormat', 'mod_autoindex: IndexIgnoreReset'],
  names: ['IndexOptions'],
  once: true,
  level: 'info',
  messageFor: ({ args }, _, __, target) =>
    args.some(({ value }) => /^\+?(?:FancyIndexing|HTMLTable)$/i.test(value))
      ? `listings show dates as 2012-11-21 09:30 in 2.4${holds('index-old-date-format', target) ? ': IndexOptions +UseOldDateFormat keeps 21-Nov-2012 09:30 for programs that read them' : ', no longer as 21-Nov-2012 09:30: check programs that read them'}; the markup is HTML 4.01 with other texts for icons, no longer 3.2`
      : undefined,
});
