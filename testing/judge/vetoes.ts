import { type ConfigTree, loadTree, memory } from '../../src/config';
import { judge } from '../../src/judge';

/** Texts by path: byte strings. */
export type Files = Readonly<Record<string, string>>;

export const CONF = '/etc/httpd/httpd.conf';

/** A server with a DocumentRoot and lines of its own. */
export const served = (conf: string, files: Files = {}): Files => ({
  [CONF]: `ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv/www\n<Directory /srv/www>\nAllowOverride All\n</Directory>\n${conf}`,
  ...files,
});

export function treeOf(files: Files): ConfigTree {
  const options = { cwd: '/', defines: new Map<string, string>(), env: new Map<string, string>() };
  return loadTree(memory(new Map(Object.entries(files))), Object.keys(files), options);
}

/**
 * What the judge says of files that have changed, each by one edit of whole lines, as the rules write them.
 * @param chosen what a person has answered
 */
export function vetoesOf(was: Files, is: Files, chosen?: ConfigTree['chosen']): readonly string[] {
  return judged(was, is, chosen).vetoes.map(({ why }) => why);
}

/** What the judge refuses of such files, how many questions it has asked, and to how many it knew an answer. */
export function judged(was: Files, is: Files, chosen?: ConfigTree['chosen']): ReturnType<typeof judge> {
  const tree = treeOf(was);
  const before = chosen === undefined ? tree : { ...tree, chosen };
  const findings = before.files.flatMap((file) => {
    const [old, text] = [file.document.text, is[file.path]!];
    if (old === text) return [];
    let start = 0;
    while (old[start] === text[start]) start++;
    let tail = 0;
    while (tail < Math.min(old.length, text.length) - start && old.at(-1 - tail) === text.at(-1 - tail))
      tail++;
    start = old.lastIndexOf('\n', start - 1) + 1;
    const edits = [{ start, end: old.length - tail, text: text.slice(start, text.length - tail) }];
    return [{ rule: 'x', file, at: start, level: 'error', safety: 'safe', status: 'applied', edits }];
  });
  return judge(before, treeOf(is), findings);
}
