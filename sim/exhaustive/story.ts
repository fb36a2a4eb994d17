import type { Environment } from '../environment/environment.ts'
import type { SimulatedRun } from '../runs/simulated-run.ts'

/** A short course that Kerf has to bring to its end, whatever goes wrong once on the way. */
export interface Story {
  readonly name: string
  readonly run: SimulatedRun
  /** How many NodeClaims there may be at any time, those aside that are being deleted: nothing is bought twice. */
  readonly most: number
  /** What its end still lacks, beside what the invariants ask for. */
  readonly missing: (environment: Environment) => readonly string[]
}
