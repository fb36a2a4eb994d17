import { KerfProcess } from '../story/kerf-process.ts'

/**
 * Keeps `kerf run` running like a Deployment: restarts it when it exits. On a busy machine a process may lose its Lease, and must then
 * exit.
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

  /** The output of all processes so far. */
  get output(): string {
    return this.#earlier + this.#current.output
  }

  /** Stops the process. Returns its exit code. */
  async stop(): Promise<number> {
    this.#isStopped = true
    return await this.#current.stop()
  }

  async kill(): Promise<void> {
    this.#isStopped = true
    await this.#current.kill()
  }
}
