import { setTimeout as sleep } from 'node:timers/promises'

/** The options for waiting until other processes have an effect. */
export interface Wait {
  /** The object of the wait: the text after "waiting for" in messages. */
  readonly what: string
  /**
   * Returns a text that changes with any progress of the observed system, but not with heartbeats. Called about eight times within the
   * limit, so a short wait never calls it. If absent, nothing counts as progress.
   */
  readonly fingerprint?: () => string | Promise<string>
  /** Returns the current state for the message of a failed wait. The default is the last fingerprint. */
  readonly state?: () => string | Promise<string>
  /** How long the fingerprint may stay unchanged, in seconds. Only time during which this process was running counts. */
  readonly quietSeconds?: number
  /** The minimum pause between two checks. After a slow check the pause is longer, so that checks use only a small share of the time. */
  readonly everyMs?: number
}

/** The clock that a wait uses. */
export interface WaitClock {
  /** Returns milliseconds since an arbitrary time. */
  now(): number
  /** Resolves after this many milliseconds, or earlier if the signal aborts. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>
}

const QUIET_SECONDS = 120
const EVERY_MS = 200
const FINGERPRINTS_PER_LIMIT = 8
/**
 * The maximum share of time that checks may use. Checks exceed it only if they would otherwise need pauses of more than ten times the
 * minimum pause.
 */
const SHARE_OF_LOOKS = 1 / 5
const LONGEST_PAUSES = 10
/** The timeout of a call that returns a fingerprint or a state. */
const ANSWER_WITHIN_MS = 30_000

const systemClock: WaitClock = {
  now: () => performance.now(),
  pause: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined)
  },
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Look<T> = { readonly isSo: true; readonly value: T } | { readonly isSo: false }

/**
 * Measures the time without a change as the sum of the requested pauses. If the process is stopped or gets no CPU time, a pause ends late,
 * and the additional time does not count.
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

  /** Pauses, and adds the pause to the time without a change. Rejects if that time exceeds the limit. */
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

  /** Returns the result of the call. Returns undefined if the call fails or takes too long, because the observed program may hang. */
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

/**
 * Returns the result of the check. The time that the check takes counts as time without a change, so the limit also applies to a check that
 * hangs.
 */
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
 * Resolves when `isSo` returns true. Rejects with the error of `isSo`, or if nothing has changed within the limit. The total time is not
 * limited. The message contains the object of the wait and the current state.
 */
export const untilTrue = (
  isSo: () => boolean | Promise<boolean>,
  wait: Wait,
  clock: WaitClock = systemClock,
): Promise<void> =>
  lookUntil<void>(async () => ((await isSo()) ? { isSo: true, value: undefined } : { isSo: false }), wait, clock)

/**
 * Waits until `check`, for example an `expect`, does not throw, and returns its result. Both a different error and a new fingerprint count
 * as progress. Rejects like `untilTrue`, with the last error at the end of the message.
 */
export const untilPasses = <T>(check: () => T | Promise<T>, wait: Wait, clock: WaitClock = systemClock): Promise<T> => {
  let last = ''
  const { fingerprint = () => '', state = () => '' } = wait
  return lookUntil(
    async (): Promise<Look<T>> => {
      try {
        return { isSo: true, value: await check() }
      } catch (error) {
        last = errorText(error)
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
