/** What takes so many milliseconds of the processor goes through every way, or looks again at all that it has seen. */
const FAR_TOO_LONG_MS = 10_000;

/**
 * Runs what takes far below a second as long as it works, and minutes where it goes through every way. This is no measure of
 * speed: `bench/` has those.
 * @returns what `run` returns
 * @throws Error where it took too long, other work on the machine not counted
 */
export async function soon<T>(run: () => T | Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  const took = (user + system) / 1000;
  if (took > FAR_TOO_LONG_MS) throw new Error(`took ${Math.round(took)} ms of the processor`);
  return result;
}
