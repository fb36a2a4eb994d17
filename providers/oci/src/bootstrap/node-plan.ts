import type { NodeClaim } from '@kerf/apis'
import type { ResolvedClass } from '../node-class/resolved-class.ts'

/** What the bootstrap needs to know about the future node. */
export interface NodePlan {
  readonly claim: NodeClaim
  readonly nodeClass: ResolvedClass
  /** The labels that the kubelet registers. */
  readonly labels: Readonly<Record<string, string>>
  /** The maximum number of pods of the instance type. */
  readonly maxPods: number
  readonly subnetId: string
  readonly isPreemptible: boolean
}
