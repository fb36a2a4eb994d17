import { formatLabelSelector, type LabelSelector } from '@kerf/apis'
import type { FencedPool } from './fence.ts'

/** A NodePool that only some pods may use, in the output of `kerf policy explain`. */
export interface ExplainedAccess {
  readonly nodePool: string
  readonly policy: string
  readonly namespaceSelector?: LabelSelector
  readonly schedulerNames?: readonly string[]
  /** Whether the NodePool has a taint. Without one, kube-scheduler can bind any pod to its nodes. */
  readonly hasTaint: boolean
}

export const explainedAccess = (pools: readonly FencedPool[]): readonly ExplainedAccess[] =>
  pools.map(({ pool, policy, access, taints }) => ({
    nodePool: pool.metadata.name,
    policy: policy.metadata.name,
    ...access,
    hasTaint: taints.length > 0,
  }))

/** Returns the lines about access to NodePools. */
export const accessLines = (access: readonly ExplainedAccess[]): readonly string[] =>
  access.map(({ nodePool, policy, namespaceSelector, schedulerNames, hasTaint }) => {
    const labels = namespaceSelector === undefined ? '' : formatLabelSelector(namespaceSelector)
    const who = [
      ...(namespaceSelector === undefined ? [] : [labels === '' ? 'all namespaces' : `namespaces with ${labels}`]),
      ...(schedulerNames === undefined ? [] : [`scheduler ${schedulerNames.join(' or ')}`]),
    ]
    const note = hasTaint ? '' : ' (not enforced: the NodePool has no taint)'
    return `NodePool ${nodePool}: only pods of ${who.join(' and ')}, by NodePoolPolicy ${policy}${note}`
  })
