import { setTimeout as pause } from 'node:timers/promises'

/** How long a test may wait for real processes, in all. Polls, since there is nothing to await. */
export class Deadline {
  /** Ends calls when time is up. */
  readonly signal: AbortSignal
  readonly #ends: number
  readonly #milliseconds: number

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
    this.signal = AbortSignal.timeout(milliseconds)
    this.#ends = Date.now() + milliseconds
  }

  /** Resolves when `holds` answers true; fails with `what` and `detail` when time is up. */
  async until(
    what: string,
    holds: () => Promise<boolean>,
    detail: () => Promise<string> = async () => '',
  ): Promise<void> {
    while (!(await holds())) {
      if (Date.now() > this.#ends)
        throw new Error(`after ${this.#milliseconds / 1000} s it is not so that ${what}. ${await detail()}`)
      await pause(100)
    }
  }

  /** Resolves when what `look` answers has been the same for so many milliseconds; fails with `what` when time is up. */
  async steady(what: string, milliseconds: number, look: () => Promise<string>): Promise<void> {
    let last = await look()
    let since = Date.now()
    await this.until(
      what,
      async () => {
        const now = await look()
        if (now !== last) since = Date.now()
        last = now
        return Date.now() - since >= milliseconds
      },
      async () => `The last look:\n${last}`,
    )
  }
}
