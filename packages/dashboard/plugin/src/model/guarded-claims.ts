import { annotations } from '@kerf/apis'
import { nodesKeptByBudgets } from './eviction-budgets.ts'
import { isActivePod } from './pending-pods.ts'
import { at, objectName, textAt } from './read.ts'

/** Returns whether `karpenter.sh/do-not-disrupt` protects a pod or a node. */
export const isGuarded = (object: unknown): boolean =>
  textAt(object, 'metadata', 'annotations', annotations.doNotDisrupt) === 'true'

interface Guards {
  readonly claims: readonly unknown[]
  readonly nodes: readonly unknown[]
  readonly pods: readonly unknown[]
  /** PodDisruptionBudgets. */
  readonly disruptionBudgets: readonly unknown[]
  /** The UIDs of pending pods that get no node. */
  readonly unplaced: ReadonlySet<string>
}

/**
 * Returns the names of the NodeClaims that drift does not replace: the Node or one of its pods has the annotation
 * `karpenter.sh/do-not-disrupt`, or a PodDisruptionBudget allows no eviction of one of its pods. If a NodeClaim has a
 * `terminationGracePeriod`, pods do not prevent its replacement.
 */
export const guardedClaims = ({ claims, nodes, pods, disruptionBudgets, unplaced }: Guards): ReadonlySet<string> => {
  const guardedNodes = new Set(nodes.filter(isGuarded).map(objectName))
  const nodesOfGuardedPods = new Set([
    ...pods.filter((pod) => isGuarded(pod) && isActivePod(pod)).flatMap((pod) => textAt(pod, 'spec', 'nodeName') ?? []),
    ...nodesKeptByBudgets(pods, disruptionBudgets, unplaced),
  ])
  const isKept = (claim: unknown): boolean => {
    const node = textAt(claim, 'status', 'nodeName')
    if (node === undefined) return false
    const endsPods = at(claim, 'spec', 'terminationGracePeriod') !== undefined
    return guardedNodes.has(node) || (!endsPods && nodesOfGuardedPods.has(node))
  }
  return new Set(claims.filter(isKept).map(objectName))
}
