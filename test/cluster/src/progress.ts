import { setTimeout as sleep } from 'node:timers/promises'

/** A wait for something that other processes bring about. */
export interface Wait {
  /** Completes "waiting for". */
  readonly what: string
  /**
   * Returns a text that changes whenever what is observed gets on, and does not change with heartbeats. It is asked for about
   * eight times within the limit, so a short wait does not pay for it. Without it, only an end of the wait is progress.
   */
  readonly fingerprint?: () => string | Promise<string>
  /** Returns how things stand, for the message of a wait in vain. Default: the last fingerprint. */
  readonly state?: () => string | Promise<string>
  /** How long nothing may change, in seconds in which this process ran. */
  readonly quietSeconds?: number
  /** The shortest pause between two looks. A look that takes long is followed by a longer one, so that it does not fill the time. */
  readonly everyMs?: number
}

/** The clock of a wait. */
export interface WaitClock {
  /** Milliseconds since any moment. */
  now(): number
  /** Resolves after so many milliseconds, or sooner if the signal aborts. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>
}

const QUIET_SECONDS = 120
const EVERY_MS = 200
const FINGERPRINTS_PER_LIMIT = 8
/** A wait spends at most this share of its time on looks, until pauses are ten times as long as the shortest. */
const SHARE_OF_LOOKS = 1 / 5
const LONGEST_PAUSES = 10
/** How long a fingerprint or a state may take. */
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
 * The time in which nothing changed. It adds up pauses by the length that was asked for: a process that is stopped, or that gets
 * no processor, comes back late from a pause, and what it missed does not count.
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

  /** Pauses, and counts the pause. Rejects when nothing has changed for the limit. */
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

  /** Returns nothing if the question is not answered in time, or fails: the observed program may be the one that hangs. */
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

/** Returns what the look answers. Time goes on counting meanwhile, so a look that hangs meets the limit too. */
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
 * Resolves when `isSo` answers true. Rejects with what `isSo` throws, or when nothing that the wait observes has changed for its
 * limit, however long it has waited in all; the message says what it waited for, and how things stand.
 */
export const untilTrue = (
  isSo: () => boolean | Promise<boolean>,
  wait: Wait,
  clock: WaitClock = systemClock,
): Promise<void> =>
  lookUntil<void>(async () => ((await isSo()) ? { isSo: true, value: undefined } : { isSo: false }), wait, clock)

/**
 * Returns what `check` returns once it does not throw, such as an `expect`. A different error is progress, besides what the
 * fingerprint shows. Rejects as `untilTrue` does; the message ends with the last error.
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
