import { setTimeout as sleep } from 'node:timers/promises'

/** The options of a wait for an effect of other processes. */
export interface Wait {
  /** What the wait is for: the text after "waiting for". */
  readonly what: string
  /**
   * Returns a text that changes with every progress of the observed system, but not with heartbeats. Called about eight times
   * within the limit, so that a short wait never calls it. If absent, nothing counts as progress before the wait succeeds.
   */
  readonly fingerprint?: () => string | Promise<string>
  /** Returns the current state for the message of a failed wait. Default: the last fingerprint. */
  readonly state?: () => string | Promise<string>
  /** The maximum time without a change, in seconds in which this process ran. */
  readonly quietSeconds?: number
  /** The shortest pause between two checks. A slow check is followed by a longer pause, so that checks do not fill the time. */
  readonly everyMs?: number
}

/** The clock of a wait. */
export interface WaitClock {
  /** Returns milliseconds since an arbitrary time. */
  now(): number
  /** Resolves after so many milliseconds, or sooner if the signal aborts. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>
}

const QUIET_SECONDS = 120
const EVERY_MS = 200
const FINGERPRINTS_PER_LIMIT = 8
/** The maximum share of time for checks, until pauses are ten times as long as the shortest pause. */
const SHARE_OF_LOOKS = 1 / 5
const LONGEST_PAUSES = 10
/** The timeout of a fingerprint or a state. */
const ANSWER_WITHIN_MS = 30_000

const systemClock: WaitClock = {
  now: () => performance.now(),
  pause: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined)
  },
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Look<T> = { readonly isSo: true; readonly value: T } | { readonly isSo: false }

/**
 * The time without a change. It adds up the requested lengths of pauses: if the process is stopped or gets no processor time, a
 * pause ends late, and the excess does not count.
 */
class QuietTime {
  readonly #wait: Wait
  readonly #clock: WaitClock
  readonly #limit: number
  #quiet = 0
  #sinceFingerprint = 0
  #fingerprint: string | undefined

  constructor(wait: Wait, clock: WaitClock) {
    this.#wait = wait
    this.#clock = clock
    this.#limit = (wait.quietSeconds ?? QUIET_SECONDS) * 1_000
  }

  /** Pauses, and counts the pause. Rejects if nothing has changed within the limit. */
  async pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await this.#clock.pause(milliseconds, signal)
    if (signal?.aborted === true) return
    this.#quiet += milliseconds
    this.#sinceFingerprint += milliseconds
    if (this.#sinceFingerprint >= this.#limit / FINGERPRINTS_PER_LIMIT) await this.#compare()
    if (this.#quiet >= this.#limit) throw await this.#inVain()
  }

  async #compare(): Promise<void> {
    const { fingerprint } = this.#wait
    if (fingerprint === undefined) return
    this.#sinceFingerprint = 0
    const found = await this.#answerOf(fingerprint)
    if (found === undefined || found === this.#fingerprint) return
    this.#fingerprint = found
    this.#quiet = 0
  }

  async #inVain(): Promise<Error> {
    const { what, state } = this.#wait
    const standing = state === undefined ? this.#fingerprint : await this.#answerOf(state)
    return new Error(
      `nothing changed for ${this.#limit / 1_000} s while waiting for: ${what}\n${standing ?? 'The state cannot be told.'}`,
    )
  }

  /** Returns undefined if the call fails or takes too long, because the observed program may hang. */
  async #answerOf(ask: () => string | Promise<string>): Promise<string | undefined> {
    const over = new AbortController()
    try {
      const late = this.#clock.pause(ANSWER_WITHIN_MS, over.signal).then(() => undefined)
      return await Promise.race([ask(), late])
    } catch {
      return undefined
    } finally {
      over.abort()
    }
  }
}

/** Returns the result of the check. The time of the check counts too, so the limit also applies to a check that hangs. */
const answerWhileCounting = async <T>(look: () => Promise<T>, quiet: QuietTime, every: number): Promise<T> => {
  const over = new AbortController()
  const answer = look().finally(() => over.abort())
  const count = async (): Promise<T> => {
    while (!over.signal.aborted) await quiet.pause(every, over.signal)
    return await answer
  }
  return await Promise.race([answer, count()])
}

const lookUntil = async <T>(look: () => Promise<Look<T>>, wait: Wait, clock: WaitClock): Promise<T> => {
  const quiet = new QuietTime(wait, clock)
  const { everyMs: every = EVERY_MS } = wait
  for (;;) {
    const began = clock.now()
    const found = await answerWhileCounting(look, quiet, every)
    if (found.isSo) return found.value
    const fair = (clock.now() - began) * (1 / SHARE_OF_LOOKS - 1)
    await quiet.pause(Math.min(LONGEST_PAUSES * every, Math.max(every, fair)))
  }
}

/**
 * Resolves when `isSo` returns true. Rejects with the error of `isSo`, or if nothing has changed within the limit of the wait.
 * The total time is unlimited. The message says what the wait was for, and the current state.
 */
export const untilTrue = (
  isSo: () => boolean | Promise<boolean>,
  wait: Wait,
  clock: WaitClock = systemClock,
): Promise<void> =>
  lookUntil<void>(async () => ((await isSo()) ? { isSo: true, value: undefined } : { isSo: false }), wait, clock)

/**
 * Returns the result of `check` once it does not throw, for example an `expect`. A different error also counts as progress, as
 * does a new fingerprint. Rejects as `untilTrue` does; the message ends with the last error.
 */
export const untilPasses = <T>(check: () => T | Promise<T>, wait: Wait, clock: WaitClock = systemClock): Promise<T> => {
  let last = ''
  const { fingerprint = () => '', state = () => '' } = wait
  return lookUntil(
    async (): Promise<Look<T>> => {
      try {
        return { isSo: true, value: await check() }
      } catch (error) {
        last = textOf(error)
        return { isSo: false }
      }
    },
    {
      ...wait,
      fingerprint: async () => `${last}\n${await fingerprint()}`,
      state: async () => `${last}\n${await state()}`.trim(),
    },
    clock,
  )
}
