import type { Environment } from '../environment/environment.ts'
import type { SimulatedRun } from '../runs/simulated-run.ts'

/** A short run that Kerf has to complete, whatever single failure is injected. */
export interface Story {
  readonly name: string
  readonly run: SimulatedRun
  /** How many NodeClaims there may be at any time, without those that are being deleted. */
  readonly most: number
  /** What is still missing at the end, beside what the invariants ask for. */
  readonly missing: (environment: Environment) => readonly string[]
}
