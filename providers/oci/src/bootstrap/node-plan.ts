import type { NodeClaim } from '@kerf/apis'
import type { ResolvedClass } from '../node-class/resolved-class.ts'

/** The properties of the future node that the bootstrap needs. */
export interface NodePlan {
  readonly claim: NodeClaim
  readonly nodeClass: ResolvedClass
  /** The labels with which the kubelet registers the Node. */
  readonly labels: Readonly<Record<string, string>>
  /** The maximum number of pods of the instance type. */
  readonly maxPods: number
  readonly subnetId: string
  readonly isPreemptible: boolean
}
