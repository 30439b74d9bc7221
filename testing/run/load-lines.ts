/** LoadModule lines, as packages have them. @param modules names without `mod_`, in order, or a text of them with blanks */
export function loadLines(modules: string | readonly string[]): string {
  const names = typeof modules === 'string' ? modules.split(' ') : modules;
  return names.map((name) => `LoadModule ${name}_module modules/mod_${name}.so\n`).join('');
}
