import type { Milliseconds } from '@kerf/apis'

/**
 * How long after the first signal another one counts as the same. A terminal sends Ctrl-C to every process of a group, and npm
 * passes on what it gets itself.
 */
const SAME_WITHIN: Milliseconds = 2_000

/** Turns Ctrl-C and SIGTERM into an abort, as `stop` does. A second one, more than two seconds later, ends the process at once. */
export const stopSignals = (
  now: () => Milliseconds = () => performance.now(),
): { readonly signal: AbortSignal; stop(): void; dispose(): void } => {
  const controller = new AbortController()
  let first: Milliseconds | undefined
  const onSignal = (): void => {
    first ??= now()
    if (now() - first > SAME_WITHIN) process.exit(130)
    controller.abort()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, onSignal)
  return {
    signal: controller.signal,
    stop: onSignal,
    dispose: () => {
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
