import type { ClusterView } from './cluster-view.ts'

/** Logs what changed between two views of the cluster, with the time in seconds. */
export class EventsLog {
  readonly #lines: string[] = []
  readonly #listener: (line: string) => void
  #before: ClusterView | undefined

  constructor(listener: (line: string) => void = () => {}) {
    this.#listener = listener
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  add(seconds: number, text: string): void {
    const line = `${seconds.toFixed(1).padStart(7)} s  ${text}`
    this.#lines.push(line)
    if (this.#lines.length > 500) this.#lines.splice(0, 100)
    this.#listener(line)
  }

  /** Compares a view with the previous one and logs the changes. */
  look(view: ClusterView): void {
    const before = this.#before
    this.#before = view
    const { pods } = view
    const counts = `${pods.pending} pending, ${pods.starting} starting, ${pods.running} running${pods.terminating > 0 ? `, ${pods.terminating} terminating` : ''}`
    if (before === undefined || JSON.stringify(before.pods) !== JSON.stringify(pods))
      this.add(view.seconds, `pods: ${counts}`)
    const known = new Map(before?.claims.map((row) => [row.claim, row]))
    for (const row of view.claims) {
      if (known.get(row.claim)?.stage !== row.stage)
        this.add(view.seconds, `${row.node ?? row.claim}: ${row.stage === 'going' ? 'terminating' : row.stage}`)
      known.delete(row.claim)
    }
    for (const row of known.values()) this.add(view.seconds, `${row.node ?? row.claim}: deleted`)
    if (view.settled && before?.settled !== true) this.add(view.seconds, 'settled: nothing left to do')
  }
}
