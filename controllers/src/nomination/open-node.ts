import { isConditionTrue, isEphemeralTaint, isSameTaint, type Node, type Taint } from '@kerf/apis'

/**
 * Whether a node takes pods, as far as its start is concerned: it is ready, and none of the taints is left that come and go
 * by themselves or that its NodeClaim calls startup taints. Other taints stay, and are part of every plan.
 */
export const isOpen = (node: Node, startupTaints: readonly Taint[] = []): boolean =>
  isConditionTrue(node, 'Ready') &&
  !(node.spec.taints ?? []).some(
    (taint) => isEphemeralTaint(taint) || startupTaints.some((startup) => isSameTaint(startup, taint)),
  )

/** Whether a change may have opened or closed the node, whatever its startup taints are. */
export const mayOpen = (before: Node, after: Node): boolean => {
  const [had = [], has = []] = [before.spec.taints, after.spec.taints]
  return (
    isConditionTrue(before, 'Ready') !== isConditionTrue(after, 'Ready') ||
    had.length !== has.length ||
    had.some((taint) => !has.some((other) => isSameTaint(other, taint)))
  )
}
