import {
  clearCondition,
  conditionSets,
  DISRUPTION_BLOCKED,
  findCondition,
  isConditionTrue,
  isSameTaint,
  karpenterKinds,
  kinds,
  type Milliseconds,
  type Node,
  type NodeClaim,
  setCondition,
  taints,
  withConditions,
} from '@kerf/apis'
import type { DisruptionReason } from '@kerf/engine'
import { isConflict, isNotFound, sleep } from '@kerf/runtime'
import { patchConditions } from '../../condition-patch.ts'
import type { Deps } from '../../deps.ts'

const ATTEMPTS = 4
const FIRST_WAIT: Milliseconds = 10
const WAIT_FACTOR = 5

type WriteDeps = Pick<Deps, 'client' | 'clock'>

export const isTainted = (node: Node | undefined): boolean =>
  node?.spec.taints?.some((taint) => isSameTaint(taint, taints.disrupted)) ?? false

/** A change that `persistently` writes to an object. */
interface PersistentWrite<T> {
  /** Returns whether the object already has the change. */
  readonly isDone: (object: T) => boolean
  readonly reread: () => Promise<T>
  readonly write: (object: T) => Promise<void>
}

/**
 * Writes a change, and retries with the latest version of the object after a conflict. A deleted object needs no change. The objects that a
 * pass reads at its start may be stale, because the pass itself removes leftovers of an earlier process. Therefore the function reads the
 * latest version before it concludes that an object already has the change.
 */
const persistently = async <T>(
  deps: WriteDeps,
  first: T,
  { isDone, reread, write }: PersistentWrite<T>,
  signal: AbortSignal,
): Promise<boolean> => {
  let object = first
  for (let attempt = 1; ; attempt++) {
    try {
      if (attempt > 1 || isDone(object)) object = await reread()
      if (!isDone(object)) await write(object)
      return true
    } catch (error) {
      if (isNotFound(error)) return false
      if (!isConflict(error) || attempt === ATTEMPTS) throw error
      await sleep(deps.clock, FIRST_WAIT * WAIT_FACTOR ** (attempt - 1), signal)
    }
  }
}

const writeTaints = async (deps: WriteDeps, node: Node, wanted: boolean, signal: AbortSignal): Promise<boolean> => {
  const ref = { name: node.metadata.name }
  const write = async (current: Node): Promise<void> => {
    // Termination needs the taint, so a node that is being deleted keeps it.
    if (!wanted && current.metadata.deletionTimestamp !== undefined) return
    // A node that is not disrupted needs neither taint. On a disrupted node, the disrupted taint replaces the consolidating taint.
    const passing: readonly string[] = [taints.disrupted.key, taints.consolidating.key]
    const others = (current.spec.taints ?? []).filter(({ key }) => !passing.includes(key))
    const { resourceVersion } = current.metadata
    const body = { metadata: { resourceVersion }, spec: { taints: wanted ? [...others, taints.disrupted] : others } }
    await deps.client.patch(kinds.Node, ref, { type: 'merge', body }, { signal })
  }
  const reread = (): Promise<Node> => deps.client.get(kinds.Node, ref, { signal })
  return await persistently(deps, node, { isDone: (current) => isTainted(current) === wanted, reread, write }, signal)
}

/** Adds the disrupted taint to the node. Returns false if the node is deleted. */
export const addTaint = (deps: WriteDeps, node: Node, signal: AbortSignal): Promise<boolean> =>
  writeTaints(deps, node, true, signal)

/** Removes the disrupted taint from the node, unless the node is being deleted. */
export const removeTaint = (deps: WriteDeps, node: Node, signal: AbortSignal): Promise<boolean> =>
  writeTaints(deps, node, false, signal)

/** Returns the claim without the DisruptionBlocked condition. */
const unblocked = (claim: NodeClaim): NodeClaim =>
  withConditions(claim, clearCondition(conditionSets.NodeClaim, claim, DISRUPTION_BLOCKED))

/**
 * Writes the reason for the disruption to the claim, or removes it if `reason` is undefined. Returns false if the claim is deleted.
 */
export const writeReason = async (
  deps: WriteDeps,
  claim: NodeClaim,
  reason: DisruptionReason | undefined,
  signal: AbortSignal,
): Promise<boolean> => {
  const set = conditionSets.NodeClaim
  const type = 'DisruptionReason'
  const marking: PersistentWrite<NodeClaim> = {
    isDone: (current) => {
      const said = findCondition(current, type)
      if (reason === undefined) return said === undefined
      const isSaid = said?.status === 'True' && said.reason === reason
      return isSaid && findCondition(current, DISRUPTION_BLOCKED) === undefined
    },
    reread: () => deps.client.get(karpenterKinds.NodeClaim, { name: claim.metadata.name }, { signal }),
    write: async (current) => {
      const conditions =
        reason === undefined
          ? clearCondition(set, current, type)
          : setCondition(set, unblocked(current), { type, status: 'True', reason, message: reason }, deps.clock.now())
      await patchConditions(deps.client, karpenterKinds.NodeClaim, current, conditions, signal)
    },
  }
  return await persistently(deps, claim, marking, signal)
}

export const hasReason = (claim: NodeClaim | undefined): boolean =>
  claim !== undefined && isConditionTrue(claim, 'DisruptionReason')
