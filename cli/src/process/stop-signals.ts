/** Turns Ctrl-C and SIGTERM into an abort, as `stop` does. A second one ends the process at once. */
export const stopSignals = (): { readonly signal: AbortSignal; stop(): void; dispose(): void } => {
  const controller = new AbortController()
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130)
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
