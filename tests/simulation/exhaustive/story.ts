import type { Environment } from '../environment/environment.ts'
import type { SimulatedRun } from '../runs/simulated-run.ts'

/** A short run that Kerf must complete, whatever single failure is injected. */
export interface Story {
  readonly name: string
  readonly run: SimulatedRun
  /** The largest number of NodeClaims at any time, without those that are being deleted. */
  readonly most: number
  /** Returns what is still missing at the end, in addition to the invariants. */
  readonly missing: (environment: Environment) => readonly string[]
}
