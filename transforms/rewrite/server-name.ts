import { type Server, linesOf } from '../../src/config';

/** Whether a server calls itself so. */
export function isNameOf(host: string, server: Server): boolean {
  return linesOf(server, ['ServerName', 'ServerAlias']).some(({ node }) =>
    node.args.some(
      ({ value }) =>
        value
          .replace(/^.*:\/\//, '')
          .replace(/:[0-9]+$/, '')
          .toLowerCase() === host.toLowerCase(),
    ),
  );
}
