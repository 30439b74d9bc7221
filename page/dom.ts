/** The element of the page with an id. @throws Error where the page has none: a mistake of ours */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`no element ${id}`);
  return element;
}

export const inputById = (id: string): HTMLInputElement => byId(id) as HTMLInputElement;
export const selectById = (id: string): HTMLSelectElement => byId(id) as HTMLSelectElement;

/** A new element. Strings become text, never markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}

/** A button that does something. */
export function button(text: string, act: () => void): HTMLButtonElement {
  const element = make('button', '', text);
  element.type = 'button';
  element.addEventListener('click', act);
  return element;
}

/** Shows a part of the page; what comes next by keyboard, and what a screen reader says, is there. */
export function goTo(part: HTMLElement): void {
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: 'start' });
}

/** Has the browser save bytes as a file. */
export function save(name: string, bytes: Uint8Array): void {
  const address = URL.createObjectURL(new Blob([bytes as BlobPart], { type: 'application/octet-stream' }));
  const link = make('a', '');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
