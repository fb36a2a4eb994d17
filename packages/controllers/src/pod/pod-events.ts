import {
  findCondition,
  formatTime,
  isScheduled,
  isTerminal,
  isTerminating,
  karpenterKinds,
  kinds,
  type Milliseconds,
  type Pod,
  parsePastTime,
  parseTime,
} from '@kerf/apis'
import { type Controller, done, isNotFound, source } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { ClaimNodes } from '../nodeclaim/claim-nodes.ts'
import { isManagedClaim } from '../nodeclaim/ownership.ts'
import { readOnlySource } from '../read-only-source.ts'
import { isOwnedByDaemonSet, podKey } from './pod-predicates.ts'

const QUIET: Milliseconds = 10_000

/**
 * Returns whether the pod was bound to a node, finished, or started to terminate. If this process sees a pod for the first time, this may
 * have happened earlier.
 */
const isEvent = (before: Pod | undefined, after: Pod): boolean => {
  if (before === undefined) return true
  const isNewly = (test: (pod: Pod) => boolean): boolean => test(after) && !test(before)
  return isNewly(isScheduled) || isNewly(isTerminal) || isNewly(isTerminating)
}

/** Returns when the pod was bound to its node or finished there. Undefined if no such time exists or the pod is being deleted. */
const happenedAt = (pod: Pod): Milliseconds | undefined => {
  if (isTerminating(pod)) return undefined
  if (!isTerminal(pod)) return parseTime(findCondition(pod, 'PodScheduled')?.lastTransitionTime)
  const times = pod.status?.conditions?.map(({ lastTransitionTime }) => parseTime(lastTransitionTime) ?? 0) ?? []
  return times.length === 0 ? undefined : Math.max(...times)
}

/**
 * Returns whether the claim already records the event of a pod. So Kerf writes nothing after a restart. Upstream writes every claim again
 * after a restart, even several times while it reads 50,000 pods.
 */
const isNoted = (pod: Pod, last: Milliseconds): boolean => (happenedAt(pod) ?? Number.POSITIVE_INFINITY) < last + QUIET

/**
 * Records on the claim when a pod was last bound to its node or left it, at most every ten seconds (controller `nodeclaim.podevents`).
 * Ignores daemon pods. consolidateAfter starts at the recorded time (`docs/spec/lifecycle.md#other-claim-controllers`).
 */
export const podEvents = (deps: Deps): Controller => {
  const { client, clock, informers, provider } = deps
  const links = new ClaimNodes(informers)
  /** Pods that this process has seen only once. They may have been bound before it started. */
  const found = new Set<string>()
  return {
    name: 'nodeclaim.podevents',
    reconciles: kinds.Pod,
    sources: [
      source(links.pods, ({ before, after }) => {
        if (after === undefined || !isScheduled(after) || isOwnedByDaemonSet(after) || !isEvent(before, after))
          return []
        const key = podKey(after)
        if (before === undefined) found.add(key)
        else found.delete(key)
        return [key]
      }),
      readOnlySource(informers, kinds.Node),
      readOnlySource(informers, karpenterKinds.NodeClaim),
    ],
    concurrency: 1,
    reconcile: async (key, signal) => {
      const isFound = found.delete(key)
      const pod = links.pods.get(key)
      const node = pod === undefined ? undefined : links.nodes.get(pod.spec.nodeName ?? '')
      const claim = node === undefined ? undefined : links.claimOf(node)
      if (pod === undefined || claim === undefined || !isManagedClaim(provider, claim)) return done()
      const now = clock.now()
      const last = parsePastTime(claim.status?.lastPodEventTime, now)
      if (last !== undefined && (now - last < QUIET || (isFound && isNoted(pod, last)))) return done()
      const body = { status: { lastPodEventTime: formatTime(now) } }
      try {
        const ref = { name: claim.metadata.name }
        await client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body }, { subresource: 'status', signal })
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
      return done()
    },
  }
}
