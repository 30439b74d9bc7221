import { advice } from '../common/advice';
import { containersOf, isUnknown } from '../common/lines';

export default advice({
  id: 'proxy-pass-reverse-path',
  changes: ['P12'],
  title: 'ProxyPassReverse with a path',
  why: 'If ProxyPassReverse names a path and no backend, 2.2 rewrites redirects to such a path only. 2.4 also rewrites redirects to whole URLs, whatever their host, if their path begins with it.',
  docs: ['mod_proxy: ProxyPassReverse', 'modules/proxy/proxy_util.c: ap_proxy_location_reverse_map'],
  names: ['ProxyPassReverse'],
  level: 'warning',
  messageFor({ args }, place) {
    const inLocation = containersOf(place).some(({ section }) => section.key.startsWith('location'));
    const path = args[inLocation ? 0 : 1]?.value ?? '';
    return path.startsWith('/') && !isUnknown(path)
      ? `2.4 takes redirects of the backend to other hosts for its own too, if their path begins with ${path}: name the backend, as in http://backend.example${path}, and have a second line for redirects without a host only if the backend sends them`
      : undefined;
  },
});
