import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import type { Logger } from '../logging/logger.ts'

/**
 * The clock skew above which Kerf warns. Tools that compute ages from the cluster's timestamps and their own clock are wrong by the same
 * amount.
 */
const WARN_ABOVE: Milliseconds = 30_000
/**
 * The skew between the local clock and the API server above which Kerf launches nothing. With this much skew, service account tokens (valid
 * for an hour) and the clouds' TLS certificates cannot be validated, and Kerf cannot tell which clock is wrong.
 */
const HOLD_ABOVE: Milliseconds = 3_600_000
/**
 * The skew between API servers above which Kerf launches nothing. Kerf cannot tell which server set a timestamp, so durations may be
 * wrong by this difference. The shortest duration after which Kerf terminates an instance is 5 min.
 */
const HOLD_ABOVE_DISAGREEMENT: Milliseconds = 60_000
const AGAIN_AFTER: Milliseconds = 600_000
/** If the difference changes by this much, it is logged at once. */
const CHANGED: Milliseconds = 30_000

/** The measured differences between clocks. */
export interface ClockReading {
  /** How far the local clock is ahead of the API server's clock. Negative if it is behind. */
  readonly difference: Milliseconds
  /** The difference between the clocks of API servers. */
  readonly disagreement: Milliseconds
}

const secondsOf = (duration: Milliseconds): number => Math.round(Math.abs(duration) / 1_000)

const faultOf = ({ difference, disagreement }: ClockReading): string =>
  Math.abs(difference) > WARN_ABOVE
    ? `the clock of this machine is ${secondsOf(difference)} s ${difference > 0 ? 'ahead of' : 'behind'} the API server's`
    : `the clocks of the API servers, or of a proxy before them, differ by ${secondsOf(disagreement)} s`

const REMEDY = 'check the time service (chrony, systemd-timesyncd) of the machine whose clock is wrong'

/**
 * Logs how far the clocks differ: when a difference appears, when it changes, every ten minutes while it lasts, and when it is
 * gone.
 */
export class ClockReport {
  readonly #clock: Clock
  readonly #logger: Logger
  #said: { readonly reading: ClockReading; readonly at: Milliseconds; readonly holds: boolean } | undefined

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock
    this.#logger = logger
  }

  /**
   * Reports the measurement. If the difference is too large, returns the reason why Kerf must not launch anything, or delete anything
   * because of its age. Otherwise returns undefined.
   */
  take(reading: ClockReading): string | undefined {
    const { difference, disagreement } = reading
    const isOff = Math.abs(difference) > WARN_ABOVE || disagreement > WARN_ABOVE
    const holds = Math.abs(difference) > HOLD_ABOVE || disagreement > HOLD_ABOVE_DISAGREEMENT
    if (!isOff) {
      if (this.#said !== undefined) this.#logger.info('the clocks of this machine and of the API server agree again')
      this.#said = undefined
      return undefined
    }
    const fault = faultOf(holds && disagreement > HOLD_ABOVE_DISAGREEMENT ? { ...reading, difference: 0 } : reading)
    if (this.#isNews(reading, holds)) {
      const effect = holds
        ? 'Kerf launches nothing and ends nothing by time until they agree'
        : "Kerf uses the API server's time"
      this.#logger.warn(`${fault}: ${effect}; ${REMEDY}`, {
        differenceSeconds: Math.round(difference / 1_000),
        disagreementSeconds: Math.round(disagreement / 1_000),
      })
      this.#said = { reading, at: this.#clock.monotonic(), holds }
    }
    return holds ? fault : undefined
  }

  #isNews({ difference, disagreement }: ClockReading, holds: boolean): boolean {
    const said = this.#said
    return (
      said === undefined ||
      said.holds !== holds ||
      Math.abs(said.reading.difference - difference) > CHANGED ||
      Math.abs(said.reading.disagreement - disagreement) > CHANGED ||
      this.#clock.monotonic() - said.at >= AGAIN_AFTER
    )
  }
}
