import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { advice } from '../common/advice';

export default advice({
  id: 'image-map-menu',
  changes: ['F38'],
  title: 'Menus of image maps',
  why: 'The menu that mod_imagemap shows for a map is a page of HTML 3.2 in 2.2, and of HTML 4.01 since 2.4.64. The links are the same.',
  docs: ['modules/mappers/mod_imagemap.c: menu_header'],
  lifeSpan: FACTS['image-map-html-4'],
  names: ['AddHandler', 'SetHandler'],
  once: true,
  findingFor: ({ args }) =>
    /^imap-file$/i.test(args[0]?.value ?? '')
      ? {
          level: 'info',
          message: `${sinceRelease('image-map-html-4')} the menus of image maps are pages of HTML 4.01, and were of HTML 3.2: adapt programs that read them`,
        }
      : undefined,
});
