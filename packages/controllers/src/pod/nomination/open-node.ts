import { isConditionTrue, isEphemeralTaint, isSameTaint, type Node, type Taint } from '@kerf/apis'

/**
 * Returns whether a starting node is open, which means that it accepts pods. It must be Ready, and it must have no known ephemeral taints
 * and no startup taints of its NodeClaim. Other taints are permanent, and every plan takes them into account.
 */
export const isOpen = (node: Node, startupTaints: readonly Taint[] = []): boolean =>
  isConditionTrue(node, 'Ready') &&
  !(node.spec.taints ?? []).some(
    (taint) => isEphemeralTaint(taint) || startupTaints.some((startup) => isSameTaint(startup, taint)),
  )

/** Returns whether the change may have made the node accept or reject pods. Ignores startup taints. */
export const mayOpen = (before: Node, after: Node): boolean => {
  const [had = [], has = []] = [before.spec.taints, after.spec.taints]
  return (
    isConditionTrue(before, 'Ready') !== isConditionTrue(after, 'Ready') ||
    had.length !== has.length ||
    had.some((taint) => !has.some((other) => isSameTaint(other, taint)))
  )
}
