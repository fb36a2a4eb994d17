import { annotations } from '@kerf/apis'
import { isActivePod } from './pending-pods.ts'
import { at, objectName, textAt } from './read.ts'

const isGuarded = (object: unknown): boolean =>
  textAt(object, 'metadata', 'annotations', annotations.doNotDisrupt) === 'true'

/**
 * Returns the names of the NodeClaims that drift does not replace, because their Node has the annotation
 * `karpenter.sh/do-not-disrupt`, or one of its pods has. With a `terminationGracePeriod`, pods do not keep their node.
 */
export const guardedClaims = (
  claims: readonly unknown[],
  nodes: readonly unknown[],
  pods: readonly unknown[],
): ReadonlySet<string> => {
  const guardedNodes = new Set(nodes.filter(isGuarded).map(objectName))
  const nodesOfGuardedPods = new Set(
    pods.filter((pod) => isGuarded(pod) && isActivePod(pod)).flatMap((pod) => textAt(pod, 'spec', 'nodeName') ?? []),
  )
  const isKept = (claim: unknown): boolean => {
    const node = textAt(claim, 'status', 'nodeName')
    if (node === undefined) return false
    const endsPods = at(claim, 'spec', 'terminationGracePeriod') !== undefined
    return guardedNodes.has(node) || (!endsPods && nodesOfGuardedPods.has(node))
  }
  return new Set(claims.filter(isKept).map(objectName))
}
