import { zipSync } from 'fflate';
import { gather, type Gathered } from '../../page/gathered';

const given = (path: string, bytes: Uint8Array | string): Promise<Gathered> =>
  gather([{ path, file: new Blob([Buffer.from(bytes)]) }], () => undefined);

test('an archive without text is refused, with what was not read; one with a text is read', async () => {
  await expect(given('a.zip', zipSync({ 'a/logo.png': Buffer.from('x') }))).rejects.toThrow(
    /^holds no configuration$/,
  );
  await expect(given('a.zip', zipSync({ 'a/data': Buffer.from('x\0') }))).rejects.toThrow(
    'holds no configuration. Not read, no text: a/a/data',
  );
  const { files } = await given('a.zip', zipSync({ 'a/b.conf': Buffer.from('MaxClients 10\n') }));
  expect([...files]).toEqual([['/a/b.conf', 'MaxClients 10\n']]);
});

test('a file that cannot be read is named, and the others are read', async () => {
  const gone = new Blob(['x']);
  gone.arrayBuffer = () => Promise.reject(new Error('NotReadableError'));
  const other = new Blob(['MaxClients 10\n']);
  const folder = [
    { path: 'a/gone.conf', file: gone },
    { path: 'a/b.conf', file: other },
  ];
  const { files, notes } = await gather(folder, () => undefined);
  expect([...files.values()]).toEqual(['MaxClients 10\n']);
  expect(notes).toEqual(['Not read, the browser cannot read it: a/gone.conf']);
});
