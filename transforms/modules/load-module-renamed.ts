import { type Edit, insertAfter, removeLine, replaceArgument } from '../../src/edit';
import type { TransformContext } from '../../src/engine';
import { successorOf } from '../../src/httpd/modules';
import type { Argument } from '../../src/syntax';
import { type LoadLine, type LoadLines, plainName } from './load-module-lines';

/** A module that 2.4 has under another name: the line says so, or goes where that one is loaded already. */
export function reportRenamed(context: TransformContext, line: LoadLine, lines: LoadLines): void {
  const { identifier, node, place, path } = line;
  const { document } = place.file;
  const now = successorOf(identifier)!;
  const first = lines.all.find((other) => other !== line && other.name === plainName(now));
  const report = (message: string, edits: readonly Edit[]): void =>
    context.report({
      file: place.file,
      at: node.from,
      level: 'error',
      safety: edits.length > 0 ? 'safe' : 'manual',
      message,
      edits,
    });
  if (
    first !== undefined &&
    (first.identifier === now || lines.all.indexOf(first) < lines.all.indexOf(line))
  ) {
    report(`${identifier} is ${now} in 2.4, which is loaded already`, [removeLine(document, node)]);
    return;
  }
  const file = `mod_${plainName(identifier)}.so`;
  if (!path.endsWith(file)) {
    report(`${identifier} is ${now} in 2.4: load that, from the file that the target has for it`, []);
    return;
  }
  const [id, so] = node.args as readonly [Argument, Argument];
  const newPath = path.slice(0, -file.length) + `mod_${plainName(now)}.so`;
  const edits = [replaceArgument(document, id, now), replaceArgument(document, so, newPath)];
  const message = `${identifier} is ${now} in 2.4`;
  const needed = now === 'cache_disk_module' ? 'cache' : undefined;
  const cache = lines.all.find((other) => other.name === needed && other.read !== false);
  if (cache === undefined || lines.all.indexOf(cache) < lines.all.indexOf(line)) report(message, edits);
  else if (cache.place.chain.length > 0 || line.place.chain.length > 0 || node.joined)
    report(`${message}, and has to be loaded after cache_module: move the line below that one`, []);
  else {
    const text = document.text
      .slice(node.from, node.to)
      .replace(identifier, now)
      .replace(file, `mod_${plainName(now)}.so`);
    const moved = insertAfter(cache.place.file.document, cache.node, [text]);
    if (cache.place.file !== place.file)
      report(
        `${message}, and has to be loaded after cache_module: move the line to ${cache.place.file.name}`,
        [],
      );
    else report(`${message}, and has to be loaded after cache_module`, [removeLine(document, node), moved]);
  }
}
