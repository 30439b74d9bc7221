import { gzipSync } from 'node:zlib';

/** An entry of a tar as somebody might make it: whatever is said goes into the header, right or wrong. */
export interface MadeEntry {
  readonly name: string;
  readonly type?: string;
  readonly text?: string;
  readonly target?: string;
  /** The field of the header, if it is not the length of the text in octal digits. */
  readonly size?: string;
  readonly magic?: string;
  readonly prefix?: string;
}

/** The blocks of an entry. */
export function entryBlocks({
  name,
  type = '0',
  text = '',
  target = '',
  size,
  magic = 'ustar\x0000',
  prefix = '',
}: MadeEntry): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100, 'latin1');
  header.write('0000644\x000000000\x000000000\x00', 100, 'latin1');
  header.write(size ?? text.length.toString(8).padStart(11, '0'), 124, 12, 'latin1');
  header.write('00000000000', 136, 'latin1');
  header.write(`        ${type}`, 148, 'latin1');
  header.write(target, 157, 100, 'latin1');
  header.write(magic, 257, 8, 'latin1');
  header.write('root', 265, 'latin1');
  header.write('wheel', 297, 'latin1');
  header.write(prefix, 345, 155, 'latin1');
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  const body = Buffer.alloc(Math.ceil(text.length / 512) * 512);
  body.write(text, 'latin1');
  return Buffer.concat([header, body]);
}

const END = Buffer.alloc(1024);

export function madeTar(entries: readonly MadeEntry[]): Buffer {
  return Buffer.concat([...entries.map(entryBlocks), END]);
}

const MANIFEST = 'httpd-codemod collection 1\nconfig: /etc/httpd/httpd.conf\ntree: /var/www\ndefine: SSL\n';

/** A small server as `collect` packs it. */
export const SERVER: readonly MadeEntry[] = [
  { name: 'MANIFEST', text: MANIFEST },
  { name: 'info/', type: '5' },
  {
    name: 'info/listing',
    text: [
      'drwxr-xr-x 2 0 0 4096 Nov 23 13:23 /var/www',
      'drwxr-x--- 2 0 48 4096 Nov 23 2011 /var/www/empty one',
      '-rw-r----- 1 0 0 12 Nov 23 13:23 /etc/httpd/httpd.conf',
      '',
    ].join('\n'),
  },
  { name: 'info/left-out', text: 'cannot be read\t/var/www/closed\n' },
  { name: 'info/environment', text: 'APACHE_RUN_USER=www-data\n' },
  { name: 'root/', type: '5' },
  { name: 'root/etc/httpd/httpd.conf', text: 'ServerRoot /etc/httpd\nListen 80\nInclude conf.d\nDocumentRoot /var/www\nMaxClients 5\n' },
  { name: 'root/etc/httpd/conf.d', type: '2', target: '../apache.d' },
  { name: 'root/etc/apache.d/a.conf', text: 'MaxRequestsPerChild 9\n' },
  { name: 'root/var/www/a/.htaccess', text: 'Order deny,allow\nDeny from all\n' },
]; // prettier-ignore

/** A gzip of zeros that is a thousandth of what it unpacks to, made without room for that. */
export function bomb(megabytes: number): Buffer {
  const part = gzipSync(Buffer.alloc(16 * 1024 * 1024));
  return Buffer.concat(Array.from({ length: Math.ceil(megabytes / 16) }, () => part));
}
