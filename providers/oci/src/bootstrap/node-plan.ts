import type { NodeClaim } from '@kerf/apis'
import type { ResolvedClass } from '../node-class/resolved-class.ts'

/** The node that an instance will be, as its bootstrap needs it. */
export interface NodePlan {
  readonly claim: NodeClaim
  readonly nodeClass: ResolvedClass
  /** The labels that the kubelet registers. */
  readonly labels: Readonly<Record<string, string>>
  /** The most pods that the instance type has. */
  readonly maxPods: number
  readonly subnetId: string
  readonly isPreemptible: boolean
}
