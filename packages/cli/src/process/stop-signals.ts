import type { Milliseconds } from '@kerf/apis'

type Insistent = 'SIGINT' | 'SIGTERM'

export interface StopOptions {
  readonly now?: () => Milliseconds
  /**
   * How long after the first signal another signal of the same kind counts as a copy of it. A terminal sends Ctrl-C to every process of a
   * group, and npm forwards it again.
   */
  readonly copiesWithin?: Readonly<Partial<Record<Insistent, Milliseconds>>>
}

const EXIT_CODES: Readonly<Record<Insistent, number>> = { SIGINT: 130, SIGTERM: 143 }

/**
 * Aborts the returned signal on SIGINT, SIGTERM and SIGHUP, and when `stop` is called. A second SIGINT or SIGTERM that is not a copy of
 * the first ends the process at once. A second SIGHUP does not, because systemd and a closing terminal send SIGHUP together with another
 * signal.
 */
export const stopSignals = ({
  now = () => performance.now(),
  copiesWithin = { SIGINT: 2_000, SIGTERM: 2_000 },
}: StopOptions = {}): { readonly signal: AbortSignal; stop(): void; dispose(): void } => {
  const controller = new AbortController()
  let first: Milliseconds | undefined
  const onSignal = (name: Insistent): void => {
    if (first !== undefined && now() - first > (copiesWithin[name] ?? -1)) process.exit(EXIT_CODES[name])
    first ??= now()
    controller.abort(new Error(`received ${name}`))
  }
  const onHangUp = (): void => controller.abort(new Error('received SIGHUP'))
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', onHangUp)
  return {
    signal: controller.signal,
    stop: () => onSignal('SIGINT'),
    dispose: () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
      process.off('SIGHUP', onHangUp)
    },
  }
}
