import { type ConfigTree, type Server, type SlashMerging, serversOf, slashMergingIn } from '../../config';
import { NEWEST } from '../../httpd/release';
import type { Section } from '../../syntax';
import { lazy, memo } from '../primitives';

/** Whether the target takes several slashes of a URL for one, on each server of a run. */
export class Slashes {
  readonly #servers = lazy(() => {
    const { all, main } = serversOf(this.tree);
    const hosts = new Map<Section | undefined, Server>(main && [[undefined, main]]);
    for (const server of all) if (server.section !== undefined) hosts.set(server.section, server);
    return hosts;
  });

  constructor(private readonly tree: ConfigTree) {}

  /** @param vhost undefined: the main server */
  readonly in = memo((vhost: Section | undefined): SlashMerging => {
    const server = this.#servers().get(vhost);
    return server === undefined ? 'unknown' : slashMergingIn(server, this.tree.target ?? NEWEST);
  }, new Map());

  /** The main server, where the run has one, and the virtual hosts. */
  get hosts(): Iterable<Section | undefined> {
    return this.#servers().keys();
  }

  /** Whether it may do so where a section is met: what stands in the main server is met in all virtual hosts, too. */
  mayMergeAround(vhost: Section | undefined): boolean {
    const hosts = vhost === undefined ? [undefined, ...this.#servers().keys()] : [vhost];
    return hosts.some((host) => this.in(host) !== 'no');
  }
}
