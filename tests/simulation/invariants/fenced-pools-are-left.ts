import {
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type NodeClaim,
  type Pod,
  policyKinds,
} from '@kerf/apis'
import { GUEST_LABEL, RESTRICTED_POOLS } from '../runs/pool-policies.ts'
import { isOfDaemonSet } from './daemon-pods.ts'
import type { MakeInvariant } from './invariant.ts'
import { podOfCall } from './pod-of-call.ts'

/** The longest time for which Kerf can act on an outdated label of the namespace. If a fault delays a call, the call takes this long. */
const LATE: Milliseconds = 90_000

/** Returns the NodePool of the NodeClaim that a call creates. */
const poolOf = (object: KubeObject | undefined): string | undefined => object?.metadata.labels?.[labels.nodePool]

/**
 * Kerf launches no node of a NodePool with restricted access, and nominates none of its nodes for a pod, while no pod may use the NodePool.
 * All pods of a run are in the namespace `default`.
 */
export const fencedPoolsAreLeft: MakeInvariant = (environment, report) => {
  const restricted = new Set(RESTRICTED_POOLS)
  /** The last time at which every pod could use the NodePools. */
  let openAt = environment.clock.monotonic()
  const isOpen = (): boolean => environment.clock.monotonic() - openAt <= LATE
  const hasPolicies = environment.run.steps.some(
    (step) => 'action' in step && step.action.kind === 'apply' && step.action.object.metadata.name === 'guests',
  )
  if (!hasPolicies) return { name: 'fenced-pools-are-left' }
  return {
    name: 'fenced-pools-are-left',
    always: () => {
      const hasPolicy = environment.list(policyKinds.NodePoolPolicy).some(({ metadata }) => metadata.name === 'guests')
      const namespace = environment.list(kinds.Namespace).find(({ metadata }) => metadata.name === 'default')
      if (!hasPolicy || namespace?.metadata.labels?.[GUEST_LABEL] === 'yes') openAt = environment.clock.monotonic()
      return []
    },
    acted: (call) => {
      if (isOpen()) return
      if (call.verb === 'create' && call.kind?.kind === karpenterKinds.NodeClaim.kind) {
        const claim: NodeClaim | undefined = environment
          .claims()
          .find(({ metadata }) => metadata.name === call.ref?.name)
        const pool = poolOf(claim)
        if (pool !== undefined && restricted.has(pool))
          report(`NodeClaim ${claim?.metadata.name} is launched for NodePool ${pool}, which no pod may use`)
      }
      if (call.verb === 'patch' && call.kind?.kind === kinds.Pod.kind) {
        const pod: Pod | undefined = podOfCall(environment, call)
        const nominated = pod?.status?.nominatedNodeName
        const node = environment.nodes().find(({ metadata }) => metadata.name === nominated)
        const pool = poolOf(node)
        if (pod !== undefined && pool !== undefined && restricted.has(pool) && !isOfDaemonSet(pod))
          report(`pod ${pod.metadata.name} is nominated for ${nominated} of NodePool ${pool}, which it may not use`)
      }
    },
  }
}
