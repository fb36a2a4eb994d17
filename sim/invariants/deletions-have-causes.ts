import {
  findCondition,
  isConditionTrue,
  karpenterKinds,
  kinds,
  labels,
  type NodeClaim,
  type NodePool,
  taints,
} from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'
import { isOfDaemonSet } from './daemon-pods.ts'
import { millisecondsOf } from './duration.ts'
import { expiryOf } from './expiry.ts'
import type { MakeInvariant } from './invariant.ts'

const MINUTE = 60_000
/** How old the state may be that Kerf decides on: a watch may lag, and the answer to a call may be slow. */
const KNOWN_AFTER = MINUTE
/** The largest error of a clock. */
const LARGEST_SKEW = 90_000
/** Times in objects are whole seconds. */
const WHOLE_SECOND = 1_000
/** How long a refused offering counts as unavailable. */
const REFUSED_FOR = 4 * MINUTE
/** When a claim without an instance is deleted, and when a claim without a registered node is. */
const TIME_TO_LAUNCH = 5 * MINUTE
const TIME_TO_REGISTER = 15 * MINUTE

/** Why a NodeClaim may be deleted. */
type Cause =
  | 'expired'
  | 'drifted'
  | 'empty'
  | 'underutilized'
  | 'interrupted'
  | 'instance-gone'
  | 'node-deleted'
  | 'scaled-down'
  | 'never-launched'
  | 'never-registered'
  | 'no-capacity'

/** A former value, and until when it held. */
interface Past<T> {
  readonly value: T
  readonly until: number
}

const templateOf = ({ spec }: NodePool): string => {
  const { expireAfter: _, ...rest } = spec.template.spec
  return JSON.stringify([spec.template.metadata, rest, spec.template.spec.expireAfter])
}

/** Former versions of NodePools, because Kerf may have decided by one of them. */
class PoolHistory {
  readonly #environment: Environment
  readonly #past = new Map<string, Past<NodePool>[]>()
  #latest = new Map<string, NodePool>()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  note(): void {
    const now = this.#environment.clock.monotonic()
    const pools = new Map(this.#environment.nodePools().map((pool) => [pool.metadata.name ?? '', pool]))
    for (const [name, before] of this.#latest) {
      if (pools.get(name)?.metadata.resourceVersion === before.metadata.resourceVersion) continue
      this.#past.set(name, [...(this.#past.get(name) ?? []), { value: before, until: now }])
    }
    this.#latest = pools
  }

  /** The NodePool as it is, and as it was within the last `duration`. */
  within(name: string, duration: number): readonly NodePool[] {
    const since = this.#environment.clock.monotonic() - duration
    const now = this.#latest.get(name)
    return [
      ...(now === undefined ? [] : [now]),
      ...(this.#past.get(name) ?? []).filter(({ until }) => until >= since).map(({ value }) => value),
    ]
  }
}

/**
 * Kerf deletes nothing without a cause, and nothing before the cause's time. The causes follow from the objects and from what
 * happened, not from what Kerf says about them. The trace names the cause of each deletion.
 */
export const deletionsHaveCauses: MakeInvariant = (environment, report) => {
  const pools = new PoolHistory(environment)
  /** Templates that a claim may have been made of. */
  const madeOf = new Map<string, ReadonlySet<string>>()
  /** Since when each pod runs on its node. */
  const runningSince = new Map<string, number>()
  const ended = new Set<string>()
  /** By claim, its last disruption reason, and until when it had it. */
  const reasons = new Map<string, Past<string>>()

  const poolNameOf = (claim: NodeClaim): string => claim.metadata.labels?.[labels.nodePool] ?? ''

  const note = (): void => {
    pools.note()
    const now = environment.clock.monotonic()
    for (const claim of environment.claims()) {
      const uid = claim.metadata.uid ?? ''
      if (!madeOf.has(uid)) madeOf.set(uid, new Set(pools.within(poolNameOf(claim), KNOWN_AFTER).map(templateOf)))
    }
    for (const claim of environment.claims()) {
      const value = reasonOf(claim)
      if (value !== undefined) reasons.set(claim.metadata.uid ?? '', { value, until: now })
    }
    const present = new Set<string>()
    for (const { metadata, spec, status } of environment.pods()) {
      if (status?.phase !== 'Running' || metadata.deletionTimestamp !== undefined) continue
      const key = `${metadata.uid} ${spec.nodeName}`
      present.add(key)
      if (!runningSince.has(key)) runningSince.set(key, now)
    }
    for (const key of runningSince.keys()) if (!present.has(key)) runningSince.delete(key)
  }

  const tolerance = (): number =>
    WHOLE_SECOND + (environment.clockSkews.near(environment.clock.monotonic()) ? LARGEST_SKEW : 0)

  /** Whether the NodePool's `consolidateAfter` is over since the node was initialised. */
  const hasWaited = (claim: NodeClaim): boolean => {
    const periods = pools
      .within(poolNameOf(claim), KNOWN_AFTER)
      .map(({ spec }) => millisecondsOf(spec.disruption?.consolidateAfter ?? '0s') ?? Number.POSITIVE_INFINITY)
    const initialized = findCondition(claim, 'Initialized')
    const since = initialized?.status === 'True' ? Date.parse(initialized.lastTransitionTime ?? '') : Number.NaN
    return environment.clock.now() + tolerance() >= since + Math.min(...periods)
  }

  const isEmpty = (nodeName: string): boolean =>
    !environment
      .pods()
      .some(
        (pod) =>
          pod.spec.nodeName === nodeName &&
          !isOfDaemonSet(pod) &&
          environment.clock.monotonic() -
            (runningSince.get(`${pod.metadata.uid} ${nodeName}`) ?? Number.POSITIVE_INFINITY) >
            KNOWN_AFTER,
      )

  const hasDrifted = (claim: NodeClaim): boolean => {
    const made = madeOf.get(claim.metadata.uid ?? '')
    return pools
      .within(poolNameOf(claim), KNOWN_AFTER)
      .some((pool) => made === undefined || made.size > 1 || !made.has(templateOf(pool)))
  }

  /** The claim's disruption reason while its node has the disruption taint. */
  const reasonOf = (claim: NodeClaim): string | undefined => {
    const condition = findCondition(claim, 'DisruptionReason')
    const node = environment.nodes().find(({ metadata }) => metadata.name === claim.status?.nodeName)
    const isClosed = node?.spec.taints?.some(({ key }) => key === taints.disrupted.key) === true
    return condition?.status === 'True' && isClosed ? condition.reason : undefined
  }

  /** The cause of a disruption by Kerf: the node has the taint, and the claim the reason. A second Kerf removes the taint when it starts. */
  const chosenFor = (claim: NodeClaim): Cause | undefined => {
    const now = environment.clock.monotonic()
    const earlier = reasons.get(claim.metadata.uid ?? '')
    const isKnown =
      earlier !== undefined && environment.processes.overlaps.near(now) && now - earlier.until <= KNOWN_AFTER
    const nodeName = claim.status?.nodeName ?? ''
    const reason = reasonOf(claim) ?? (isKnown ? earlier.value : undefined)
    if (reason === undefined) return undefined
    if (reason === 'Drifted') return hasDrifted(claim) ? 'drifted' : undefined
    if (!hasWaited(claim)) return undefined
    if (reason === 'Empty') return isEmpty(nodeName) ? 'empty' : undefined
    const isAllowed = pools
      .within(poolNameOf(claim), KNOWN_AFTER)
      .some(({ spec }) => spec.replicas === undefined && spec.disruption?.consolidationPolicy !== 'WhenEmpty')
    return reason === 'Underutilized' && isAllowed ? 'underutilized' : undefined
  }

  const isTooMany = (claim: NodeClaim): boolean => {
    const name = poolNameOf(claim)
    const wanted = pools.within(name, KNOWN_AFTER).flatMap(({ spec }) => spec.replicas ?? [])
    const own = environment
      .claims()
      .filter((each) => poolNameOf(each) === name && each.metadata.deletionTimestamp === undefined)
    return wanted.length > 0 && own.length > Math.min(...wanted)
  }

  const neverArrived = (claim: NodeClaim): Cause | undefined => {
    const created = Date.parse(claim.metadata.creationTimestamp ?? '')
    const skew = environment.clockSkews.any ? LARGEST_SKEW : 0
    const age = environment.clock.now() - created + skew
    if (isConditionTrue(claim, 'Registered')) return undefined
    if (claim.status?.providerID !== undefined) return age >= TIME_TO_REGISTER ? 'never-registered' : undefined
    const since = environment.clock.monotonic() - (environment.clock.now() - created) - REFUSED_FOR
    if (environment.shortages.within(since, environment.clock.monotonic())) return 'no-capacity'
    return age >= TIME_TO_LAUNCH ? 'never-launched' : undefined
  }

  const causeOf = (claim: NodeClaim): Cause | undefined => {
    const { providerID, nodeName } = claim.status ?? {}
    if (environment.clock.now() + tolerance() >= expiryOf(claim)) return 'expired'
    if (providerID !== undefined && environment.interrupted.has(providerID)) return 'interrupted'
    const node = environment.nodes().find(({ spec }) => spec.providerID === providerID)
    // Where watches lag, a Node can be registered and deleted before its claim names it.
    const isNodeGone = node === undefined ? nodeName !== undefined : node.metadata.deletionTimestamp !== undefined
    if (providerID !== undefined && isNodeGone) return 'node-deleted'
    if (providerID !== undefined && !environment.instances().some((each) => each.providerID === providerID))
      return 'instance-gone'
    return chosenFor(claim) ?? neverArrived(claim) ?? (isTooMany(claim) ? 'scaled-down' : undefined)
  }

  const claimDeleted = (claim: NodeClaim): void => {
    const { name } = claim.metadata
    const cause = causeOf(claim)
    if (cause !== undefined) {
      environment.listeners.remarked(`${name} is deleted: ${cause}`, cause)
      return
    }
    const { expireAfter } = claim.spec
    const age = Math.round((environment.clock.now() - Date.parse(claim.metadata.creationTimestamp ?? '')) / 1_000)
    const reason = findCondition(claim, 'DisruptionReason')
    report(
      `${name} was deleted without a cause, ${age} s old; it expires after ${expireAfter}, and its DisruptionReason is ${reason?.status === 'True' ? reason.reason : 'none'}`,
    )
  }

  return {
    name: 'deletions-have-causes',
    always: () => {
      note()
      return []
    },
    acts: ({ verb, kind, ref }) => {
      if (verb !== 'delete') return
      if (kind?.kind === karpenterKinds.NodeClaim.kind) {
        const claim = environment.claims().find(({ metadata }) => metadata.name === ref?.name)
        note()
        if (claim !== undefined && claim.metadata.deletionTimestamp === undefined) claimDeleted(claim)
      }
      if (kind?.kind === kinds.Node.kind) {
        const node = environment.nodes().find(({ metadata }) => metadata.name === ref?.name)
        const claim = environment.claims().find(({ status }) => status?.providerID === node?.spec.providerID)
        if (
          node?.metadata.deletionTimestamp === undefined &&
          claim !== undefined &&
          claim.metadata.deletionTimestamp === undefined
        )
          report(`node ${ref?.name} was deleted, and its claim ${claim.metadata.name} was not`)
      }
    },
    terminating: (providerID) => {
      if (ended.has(providerID)) return
      ended.add(providerID)
      const uid = environment.instances().find((each) => each.providerID === providerID)?.claimUid
      const claim = environment.claims().find(({ metadata }) => metadata.uid === uid)
      // A surplus instance belongs to a claim that names another one.
      if ((claim?.status?.providerID ?? providerID) !== providerID) return
      if (claim !== undefined && claim.metadata.deletionTimestamp === undefined)
        report(`instance ${providerID} was terminated, and its claim ${claim.metadata.name} is not being deleted`)
    },
  }
}
