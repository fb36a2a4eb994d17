import { isConditionTrue, isSameTaint, karpenterKinds, kinds, type Milliseconds, type Pod, taints } from '@kerf/apis'
import { type Controller, done, type Key, type Outcome, retryAfter, source } from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import { isProvisionable, podKey } from '../pod/pod-predicates.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { ExpectedPods } from './expected-pods/expected-pods.ts'
import type { Provisioner } from './provisioner.ts'

/** How often a pod or node that still needs a pass triggers the provisioner. */
const ASK_AGAIN: Milliseconds = 10_000

/** Triggers the provisioner repeatedly for every unschedulable pod that is still pending (`docs/spec/pending-pods.md#triggers`). */
export const podTrigger = (
  deps: Deps,
  state: ClusterState,
  provisioner: Provisioner,
  expected?: ExpectedPods,
): Controller => {
  const pods = deps.informers.of(kinds.Pod)
  const claims = deps.informers.of(karpenterKinds.NodeClaim)
  const isOurs = (pod: Pod): boolean => isProvisionable(pod) && !state.others.serves(pod)
  /** Returns whether the pod is planned for a node that does not accept pods yet. In this case, refusals by kube-scheduler are expected. */
  const isAwaitingNode = (pod: Pod): boolean => {
    const claim = claims.get(state.placements.decidedTarget(pod) ?? '')
    return claim !== undefined && !isConditionTrue(claim, 'Registered')
  }
  /**
   * For each pod, the time of its next trigger. The map stores times, not remaining durations: rounding could make a duration too short to
   * advance the clock, and the pod would be reconciled in an endless loop.
   */
  const askAt = new Map<Key, Milliseconds>()
  return {
    name: 'provisioner.trigger.pod',
    sources: [source(pods, ({ after }) => (after !== undefined && isOurs(after) ? [podKey(after)] : []))],
    concurrency: concurrency(deps.settings, 10, 1_000),
    // A pod that loses its place needs a new one at once, so it does not wait for its next periodic trigger.
    subscribe: (enqueue) =>
      state.placements.onChange(({ before, after }) => {
        if (before !== undefined && after === undefined) enqueue(before.pod)
      }),
    reconcile: async (key): Promise<Outcome> => {
      const pod = pods.get(key)
      if (pod === undefined || !isOurs(pod)) {
        askAt.delete(key)
        return done()
      }
      state.timings.acknowledge(pod, deps.clock.now())
      const now = deps.clock.monotonic()
      if (isAwaitingNode(pod)) {
        const due = askAt.get(key) ?? now + ASK_AGAIN
        askAt.set(key, due)
        if (now < due) return retryAfter(due - now)
      }
      askAt.set(key, now + ASK_AGAIN)
      // If Kerf plans expected pods of an owner, the owner's first pod triggers the pass for all its pods. Later pods therefore do not
      // extend the window.
      provisioner.trigger(expected?.ownerUid(pod) ?? pod.metadata.uid ?? key)
      return retryAfter(ASK_AGAIN)
    },
  }
}

/** Triggers the provisioner for nodes with the disrupted taint, because their pods need other nodes. */
export const nodeTrigger = (deps: Deps, provisioner: Provisioner): Controller => {
  const nodes = deps.informers.of(kinds.Node)
  return {
    name: 'provisioner.trigger.node',
    sources: [source(nodes, ({ after }) => (after === undefined ? [] : [after.metadata.name]))],
    concurrency: concurrency(deps.settings, 10, 1_000),
    reconcile: async (name): Promise<Outcome> => {
      const node = nodes.get(name)
      if (node?.spec.taints?.some((taint) => isSameTaint(taint, taints.disrupted)) !== true) return done()
      provisioner.trigger(node.metadata.uid ?? name)
      return retryAfter(ASK_AGAIN)
    },
  }
}
