import type { Milliseconds, NodePool } from '@kerf/apis'
import type { Randomness } from './randomness.ts'
import type { Action, OwnFault } from './simulated-run.ts'

/** The names of the node class, zones and instance types of a cloud. */
export interface CloudNames {
  readonly nodeClassRef: NodePool['spec']['template']['spec']['nodeClassRef']
  readonly zones: readonly [string, string]
  /** Two instance types that are not the smallest. */
  readonly types: readonly [string, string]
}

/** Faults that only one cloud has, and user actions that accompany them. */
export interface OwnDraws {
  readonly faults: readonly { readonly at: Milliseconds; readonly own: OwnFault }[]
  readonly actions: readonly { readonly at: Milliseconds; readonly action: Action }[]
}

/** The data about a cloud that the generator of runs needs. The functions get a source of randomness that is forked by the cloud's name. */
export interface CloudDraws {
  /** The name of the cloud, as in `--cloud`. */
  readonly name: string
  readonly names: CloudNames
  /** The share of all runs that use this cloud. Decided before the remaining runs are distributed by `tickets`. */
  readonly share?: number
  /** The cloud's weight when the remaining runs are distributed. A cloud without a share or tickets runs only if `--cloud` selects it. */
  readonly tickets?: number
  /** Whether instances exist only as Nodes, so that they neither die nor fail to register. */
  readonly hasOnlyNodes?: boolean
  /** The number of seeds that `npm run nightly` runs on the cloud if no seed selects it. The default is 20. */
  readonly seeds?: number
  /** Draws a failed call of a kind that only this cloud has. If absent, the generator draws one of a kind that all clouds share. */
  drawCall?(randomness: Randomness): OwnFault
  /** Draws the faults that only this cloud has, for a run of length `life`. */
  drawOwn?(randomness: Randomness, life: Milliseconds): OwnDraws
}
