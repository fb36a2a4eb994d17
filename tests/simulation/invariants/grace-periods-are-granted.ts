import { annotations, isConditionTrue, kinds, labels, type NodeClaim, type Pod } from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'
import { nightDeadline } from '../runs/pool-policies.ts'
import { parseMilliseconds } from './duration.ts'
import { findNodeName } from './find-node-name.ts'
import type { MakeInvariant } from './invariant.ts'
import { podOfCall } from './pod-of-call.ts'

const WHOLE_SECOND = 1_000
const LARGEST_SKEW = 90_000
/** The default that Kubernetes applies to `terminationGracePeriodSeconds`. */
const DEFAULT_GRACE = 30

const isOver = ({ status }: Pod): boolean => ['Succeeded', 'Failed'].includes(status?.phase ?? '')

/** Reports whether Kerf drains the pod. It does not drain pods that tolerate every taint. */
const isDrained = ({ spec }: Pod): boolean =>
  !(spec.tolerations ?? []).some(({ key, operator }) => key === undefined && operator === 'Exists')

/** Returns the time by which the node must terminate because of its terminationGracePeriod. Returns NaN if it has none. */
const ownDeadline = ({ metadata, spec }: NodeClaim): number =>
  Date.parse(metadata.deletionTimestamp ?? '') + (parseMilliseconds(spec.terminationGracePeriod) ?? Number.NaN)

/** Returns the time by which the node must terminate because its NodePool sleeps. Returns NaN if there is no such deadline. */
const sleepDeadline = (claim: NodeClaim, { clock, run }: Environment): number => {
  const deadline = nightDeadline(run.seed, claim.metadata.labels?.[labels.nodePool] ?? '') ?? Number.NaN
  return clock.now() - clock.monotonic() + deadline
}

const iso = (time: number): string => new Date(time).toISOString()

/**
 * Before an instance terminates, each of its pods gets its terminationGracePeriodSeconds, and the node gets its terminationGracePeriod.
 * Only the node's deadline may shorten a pod's grace period: by its terminationGracePeriod, or by its NodePool's sleep.
 */
export const gracePeriodsAreGranted: MakeInvariant = (environment, report) => {
  /** The deadline of each Node. Kept after the NodeClaim is deleted, because pods may outlive the claim. */
  const deadlines = new Map<string, number>()
  const tolerance = (): number =>
    2 * WHOLE_SECOND + (environment.clockSkews.near(environment.clock.monotonic()) ? LARGEST_SKEW : 0)
  const claimDeadline = (claim: NodeClaim): number => {
    const deadlines = [ownDeadline(claim), sleepDeadline(claim, environment)].filter((time) => !Number.isNaN(time))
    return deadlines.length === 0 ? Number.NaN : Math.min(...deadlines)
  }
  const note = (): void => {
    for (const claim of environment.claims()) {
      const nodeName = findNodeName(claim, environment)
      if (nodeName !== undefined) deadlines.set(nodeName, claimDeadline(claim))
    }
  }
  const isCut = (pod: Pod, until: number): boolean =>
    (deadlines.get(pod.spec.nodeName ?? '') ?? Number.NaN) <= until + tolerance()
  return {
    name: 'grace-periods-are-granted',
    always: () => {
      note()
      return environment.claims().flatMap((claim) => {
        const annotated = claim.metadata.annotations?.[annotations.terminationTimestamp]
        if (annotated === undefined) return []
        const deadline = claimDeadline(claim)
        const { name } = claim.metadata
        if (Number.isNaN(deadline)) return [`claim ${name} has the deadline ${annotated}, and nothing sets one`]
        return Date.parse(annotated) + WHOLE_SECOND < deadline
          ? [`claim ${name} has until ${annotated}, and its deadline is ${iso(deadline)}`]
          : []
      })
    },
    acted: (call) => {
      if (call.kind?.kind !== kinds.Pod.kind || (call.verb !== 'evict' && call.verb !== 'delete')) return
      const pod = podOfCall(environment, call)
      // A pod that is not running needs no grace period.
      if (pod?.spec.nodeName === undefined || pod.metadata.deletionTimestamp === undefined) return
      if (isOver(pod) || pod.status?.phase !== 'Running') return
      note()
      const wanted = pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE
      const granted = pod.metadata.deletionGracePeriodSeconds ?? wanted
      if (granted >= wanted) return
      const end = Date.parse(pod.metadata.deletionTimestamp)
      if (!isCut(pod, end))
        report(`pod ${pod.metadata.name} asks for ${wanted} s to end and was given ${granted} s, until ${iso(end)}`)
    },
    terminating: (providerID) => {
      const node = environment.nodes().find(({ spec }) => spec.providerID === providerID)
      const claim = environment.claims().find(({ status }) => status?.providerID === providerID)
      if (node === undefined || claim === undefined || !isConditionTrue(node, 'Ready')) return
      const now = environment.clock.now()
      for (const pod of environment.pods()) {
        if (pod.spec.nodeName !== node.metadata.name || isOver(pod) || !isDrained(pod)) continue
        const until = Date.parse(pod.metadata.deletionTimestamp ?? '')
        note()
        if (isCut(pod, now)) continue
        if (Number.isNaN(until))
          report(`instance ${providerID} was terminated with pod ${pod.metadata.name} running on it`)
        else if (now + tolerance() < until)
          report(`instance ${providerID} was terminated, and pod ${pod.metadata.name} on it has until ${iso(until)}`)
      }
    },
  }
}
