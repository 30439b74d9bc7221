export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/**
 * Reads XML of elements and attributes, strictly: what XML 1.0 does not allow in such a document is an error.
 * @param bytes UTF-8, one character a byte
 */
export function readXml(bytes: string): XmlElement {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  const bad = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.exec(text);
  if (bad !== null) throw new Error(`a character that XML does not allow at ${bad.index}`);
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!text.startsWith(declaration)) throw new Error('no declaration');
  const top: XmlElement[] = [];
  const open: { element: XmlElement; children: XmlElement[] }[] = [];
  const token = /\s+|<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>/y;
  token.lastIndex = declaration.length;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) throw new Error(`not XML at ${at}: ${text.slice(at, at + 60)}`);
    const [, closed, opened, attributes = '', isEmpty] = match;
    if (closed !== undefined) {
      if (open.pop()?.element.name !== closed) throw new Error(`</${closed}> closes nothing`);
    } else if (opened !== undefined) {
      const children: XmlElement[] = [];
      const element = { name: opened, attributes: attributesIn(attributes), children };
      (open.at(-1)?.children ?? top).push(element);
      if (isEmpty === '') open.push({ element, children });
    }
  }
  const [root] = top;
  if (root === undefined || top.length > 1 || open.length > 0) throw new Error('not one document');
  return root;
}

function attributesIn(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([\w-]+)="([^"]*)"/g)) {
    if (name in attributes) throw new Error(`${name} twice`);
    attributes[name] = value.replace(/&([^;]*);?/g, (whole, entity: string) => {
      const char =
        NAMED[entity] ??
        (/^#[0-9]+$/.test(entity) ? String.fromCodePoint(Number(entity.slice(1))) : undefined);
      if (char === undefined) throw new Error(`not an entity: ${whole}`);
      return char;
    });
  }
  return attributes;
}
