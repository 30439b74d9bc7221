import { replaceArgument } from '../../src/edit';
import { lineRule } from '../common/line-rule';
import { isUnknown } from '../common/lines';

/** The size in bytes that 2.2 uses instead of every smaller one (AP_IOBUFSIZE). */
const MIN_SIZE = 8192;

export default lineRule({
  id: 'proxy-io-buffer-size',
  changes: ['P04'],
  title: 'ProxyIOBufferSize below 8192',
  stops: true,
  why: '2.2 uses 8192 for every smaller size. 2.4 uses the size as given, and does not start if it is below 512.',
  docs: ['mod_proxy: ProxyIOBufferSize', 'modules/proxy/mod_proxy.c: set_io_buffer_size'],
  directives: ['ProxyIOBufferSize'],
  onlyWhenUpgrading: true,
  findingFor(node, place) {
    const [argument] = node.args;
    if (argument === undefined || isUnknown(argument.value)) return undefined;
    const size = Number.parseInt(argument.value, 10) || 0;
    // 0 is the default in 2.4: 8192 again.
    if (size === 0 || size >= MIN_SIZE) return undefined;
    return {
      level: size < 512 ? 'error' : 'warning',
      safety: 'safe',
      message: `${size < 512 ? '2.4 does not start with a ProxyIOBufferSize below 512' : '2.4 uses this ProxyIOBufferSize as it is'}; 2.2 used ${MIN_SIZE} instead`,
      edits: [replaceArgument(place.file.document, argument, String(MIN_SIZE))],
    };
  },
});
