import type { Environment } from '../environment/environment.ts'
import type { SimulatedRun } from '../runs/simulated-run.ts'

/** A short run that Kerf must complete, whichever single failure is injected. */
export interface Story {
  readonly name: string
  readonly run: SimulatedRun
  /** The largest allowed number of NodeClaims at any time, not counting those that are being deleted. */
  readonly most: number
  /** Checks the end of the run, in addition to the invariants. Returns one sentence for each thing that is missing. */
  readonly missing: (environment: Environment) => readonly string[]
}
