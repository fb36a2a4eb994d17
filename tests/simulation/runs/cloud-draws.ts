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

/** The faults that only one cloud has, with the actions of users that go with them. */
export interface OwnDraws {
  readonly faults: readonly { readonly at: Milliseconds; readonly own: OwnFault }[]
  readonly actions: readonly { readonly at: Milliseconds; readonly action: Action }[]
}

/** What a seed needs to know about a cloud. Functions draw from a source of randomness that is forked by the cloud's name. */
export interface CloudDraws {
  /** The name of the cloud, as in `--cloud`. */
  readonly name: string
  readonly names: CloudNames
  /** The share of all runs that are on this cloud, drawn before the tickets. */
  readonly share?: number
  /** How many tickets the cloud has in the draw of the other runs. A cloud without a share or tickets is only played when named. */
  readonly tickets?: number
  /** Whether instances exist only as Nodes, so that they neither die nor fail to register. */
  readonly hasOnlyNodes?: boolean
  /** How many seeds `npm run nightly` plays on a cloud that no seed draws. Default: 20. */
  readonly seeds?: number
  /** Draws a failed call of the cloud's own kind, instead of one that all clouds share. */
  drawCall?(randomness: Randomness): OwnFault
  /** Draws the faults that only this cloud has, during the `life` of the run. */
  drawOwn?(randomness: Randomness, life: Milliseconds): OwnDraws
}
