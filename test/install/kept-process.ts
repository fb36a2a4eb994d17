import { KerfProcess } from '../story/kerf-process.ts'

/**
 * `kerf run` as a Deployment keeps it: when it ends by itself it is started anew. On a machine with much else to do a
 * process may lose its Lease, and ends then, as it should.
 */
export class KeptProcess {
  readonly #start: () => KerfProcess
  #current: KerfProcess
  #earlier = ''
  #isStopped = false

  private constructor(start: () => KerfProcess) {
    this.#start = start
    this.#current = start()
    this.#keep()
  }

  static start(...args: Parameters<typeof KerfProcess.start>): KeptProcess {
    return new KeptProcess(() => KerfProcess.start(...args))
  }

  #keep(): void {
    void this.#current.ended.then(() => {
      if (this.#isStopped) return
      this.#earlier += this.#current.output
      this.#current = this.#start()
      this.#keep()
    })
  }

  /** Everything that was written so far. */
  get output(): string {
    return this.#earlier + this.#current.output
  }

  /** Asks it to end; answers its exit code. */
  async stop(): Promise<number> {
    this.#isStopped = true
    return await this.#current.stop()
  }

  async kill(): Promise<void> {
    this.#isStopped = true
    await this.#current.kill()
  }
}
