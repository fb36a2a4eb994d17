import { findCondition, isConditionTrue, labels, type NodeClaim, type NodePool, taints } from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'
import { drawNight, nightDeadline, RESTRICTED_POOLS } from '../runs/pool-policies.ts'
import { isOfDaemonSet } from './daemon-pods.ts'
import { parseMilliseconds } from './duration.ts'
import { claimExpiry } from './expiry.ts'
import { LAUNCHED_FOR, NodesWithPods } from './nodes-with-pods.ts'
import { type Past, PoolHistory } from './pool-history.ts'

const MINUTE = 60_000
/** The maximum age of the state on which Kerf bases a decision: a watch may lag, and a call may be slow. */
const KNOWN_AFTER = MINUTE
/** The maximum error of a clock. */
const LARGEST_SKEW = 90_000
/** The precision of timestamps in objects. */
const WHOLE_SECOND = 1_000
/** How long Kerf treats a refused offering as unavailable, unless the cloud defines another time. */
const REFUSED_FOR = 4 * MINUTE
/** The ages at which Kerf deletes a NodeClaim: without an instance, and without a registered node. */
const TIME_TO_LAUNCH = 5 * MINUTE
const TIME_TO_REGISTER = 15 * MINUTE
/** The minimum age at which Kerf deletes a NodeClaim that was launched for pods that did not appear. */
const TIME_TO_USE = 10_000

/** The causes for which Kerf may delete a NodeClaim. */
export type Cause =
  | 'expired'
  | 'asleep'
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
  | 'unused'

const poolTemplate = ({ spec }: NodePool): string => {
  const { expireAfter: _, ...rest } = spec.template.spec
  return JSON.stringify([spec.template.metadata, rest, spec.template.spec.expireAfter])
}

const claimPoolName = (claim: NodeClaim): string => claim.metadata.labels?.[labels.nodePool] ?? ''

/** Determines from the objects and from earlier events why a NodeClaim may be deleted. */
export class DeletionCauses {
  readonly #environment: Environment
  readonly #pools: PoolHistory
  readonly #used: NodesWithPods
  /** For each NodeClaim, the versions of the template from which Kerf may have created it. */
  readonly #madeOf = new Map<string, ReadonlySet<string>>()
  /** For each pod, the time since which it has been running on its node. */
  readonly #runningSince = new Map<string, number>()
  /** For each NodeClaim, its last disruption reason and the last time it had that reason. */
  readonly #reasons = new Map<string, Past<string>>()

  constructor(environment: Environment) {
    this.#environment = environment
    this.#pools = new PoolHistory(environment)
    this.#used = new NodesWithPods(environment)
  }

  /** Records the current state. Must be called whenever an object has changed. */
  note(): void {
    this.#pools.note()
    this.#used.note()
    const now = this.#environment.clock.monotonic()
    for (const claim of this.#environment.claims()) {
      const uid = claim.metadata.uid ?? ''
      if (!this.#madeOf.has(uid))
        this.#madeOf.set(uid, new Set(this.#pools.within(claimPoolName(claim), KNOWN_AFTER).map(poolTemplate)))
    }
    for (const claim of this.#environment.claims()) {
      const value = this.#reasonOf(claim)
      if (value !== undefined) this.#reasons.set(claim.metadata.uid ?? '', { value, until: now })
    }
    const present = new Set<string>()
    for (const { metadata, spec, status } of this.#environment.pods()) {
      if (status?.phase !== 'Running' || metadata.deletionTimestamp !== undefined) continue
      const key = `${metadata.uid} ${spec.nodeName}`
      present.add(key)
      if (!this.#runningSince.has(key)) this.#runningSince.set(key, now)
    }
    for (const key of this.#runningSince.keys()) if (!present.has(key)) this.#runningSince.delete(key)
  }

  /** Returns the cause for which the NodeClaim may currently be deleted, or undefined if there is none. */
  causeOf(claim: NodeClaim): Cause | undefined {
    const { providerID, nodeName } = claim.status ?? {}
    if (this.#environment.clock.now() + this.#tolerance() >= claimExpiry(claim)) return 'expired'
    if (providerID !== undefined && this.#environment.interrupted.has(providerID)) return 'interrupted'
    const node = this.#environment.nodes().find(({ spec }) => spec.providerID === providerID)
    // If watches lag, a Node can be registered and deleted before the status of its NodeClaim contains the name of the Node.
    const isNodeGone = node === undefined ? nodeName !== undefined : node.metadata.deletionTimestamp !== undefined
    if (providerID !== undefined && isNodeGone) return 'node-deleted'
    if (providerID !== undefined && !this.#environment.instances().some((each) => each.providerID === providerID))
      return 'instance-gone'
    if (this.#isUnused(claim)) return 'unused'
    if (this.#isDueByDeadline(claim)) return 'asleep'
    return this.#chosenFor(claim) ?? this.#neverArrived(claim) ?? (this.#isTooMany(claim) ? 'scaled-down' : undefined)
  }

  #tolerance(): number {
    return WHOLE_SECOND + (this.#environment.clockSkews.near(this.#environment.clock.monotonic()) ? LARGEST_SKEW : 0)
  }

  /** Reports whether the NodePool's `consolidateAfter` has passed since the node was initialized. */
  #hasWaited(claim: NodeClaim): boolean {
    const periods = this.#pools
      .within(claimPoolName(claim), KNOWN_AFTER)
      .map(({ spec }) => parseMilliseconds(spec.disruption?.consolidateAfter ?? '0s') ?? Number.POSITIVE_INFINITY)
    const initialized = findCondition(claim, 'Initialized')
    const since = initialized?.status === 'True' ? Date.parse(initialized.lastTransitionTime ?? '') : Number.NaN
    return this.#environment.clock.now() + this.#tolerance() >= since + Math.min(...periods)
  }

  #isEmpty(nodeName: string): boolean {
    return !this.#environment
      .pods()
      .some(
        (pod) =>
          pod.spec.nodeName === nodeName &&
          !isOfDaemonSet(pod) &&
          this.#environment.clock.monotonic() -
            (this.#runningSince.get(`${pod.metadata.uid} ${nodeName}`) ?? Number.POSITIVE_INFINITY) >
            KNOWN_AFTER,
      )
  }

  #hasDrifted(claim: NodeClaim): boolean {
    if (this.#environment.cloud.hasDrifted?.(claim) === true) return true
    const made = this.#madeOf.get(claim.metadata.uid ?? '')
    return this.#pools
      .within(claimPoolName(claim), KNOWN_AFTER)
      .some((pool) => made === undefined || made.size > 1 || !made.has(poolTemplate(pool)))
  }

  /** Returns the NodeClaim's disruption reason while its node has the disruption taint. */
  #reasonOf(claim: NodeClaim): string | undefined {
    const condition = findCondition(claim, 'DisruptionReason')
    const node = this.#environment.nodes().find(({ metadata }) => metadata.name === claim.status?.nodeName)
    const isClosed = node?.spec.taints?.some(({ key }) => key === taints.disrupted.key) === true
    return condition?.status === 'True' && isClosed ? condition.reason : undefined
  }

  /**
   * Returns the reason for which Kerf disrupts the NodeClaim's node, or undefined if Kerf does not disrupt it. Kerf disrupts a node if the
   * Node has the disruption taint and the NodeClaim has the reason. A second Kerf process that starts may remove the taint, so a reason
   * counts for a while after that.
   */
  #chosenFor(claim: NodeClaim): Cause | undefined {
    const now = this.#environment.clock.monotonic()
    const earlier = this.#reasons.get(claim.metadata.uid ?? '')
    const isKnown =
      earlier !== undefined && this.#environment.processes.overlaps.near(now) && now - earlier.until <= KNOWN_AFTER
    const nodeName = claim.status?.nodeName ?? ''
    const reason = this.#reasonOf(claim) ?? (isKnown ? earlier.value : undefined)
    if (reason === undefined) return undefined
    if (reason === 'Drifted') return this.#hasDrifted(claim) ? 'drifted' : undefined
    if (reason === 'Asleep') return this.#isAsleep(claim) ? 'asleep' : undefined
    if (!this.#hasWaited(claim)) return undefined
    if (reason === 'Empty') return this.#isEmpty(nodeName) ? 'empty' : undefined
    const isAllowed = this.#pools
      .within(claimPoolName(claim), KNOWN_AFTER)
      .some(({ spec }) => spec.replicas === undefined && spec.disruption?.consolidationPolicy !== 'WhenEmpty')
    return reason === 'Underutilized' && isAllowed ? 'underutilized' : undefined
  }

  /** Reports whether the sleep deadline of the NodeClaim's NodePool is so near that the node's pods need the remaining time to stop. */
  #isDueByDeadline(claim: NodeClaim): boolean {
    const { clock, run } = this.#environment
    const deadline = nightDeadline(run.seed, claimPoolName(claim))
    if (deadline === undefined || !this.#isAsleep(claim)) return false
    const graces = this.#environment
      .pods()
      .filter(({ spec }) => spec.nodeName === claim.status?.nodeName)
      .map(({ spec }) => (spec.terminationGracePeriodSeconds ?? 30) * 1_000)
    return clock.monotonic() >= deadline - Math.max(0, ...graces)
  }

  /** Reports whether the NodeClaim's NodePool sleeps, or slept a moment ago. */
  #isAsleep(claim: NodeClaim): boolean {
    const night = drawNight(this.#environment.run.seed)
    const minute = this.#environment.clock.monotonic() / 60_000
    const sleeps = night !== undefined && minute >= night.from && minute <= night.until + KNOWN_AFTER / 60_000
    return sleeps && RESTRICTED_POOLS.includes(claimPoolName(claim) ?? '')
  }

  /**
   * Reports whether Kerf launched the NodeClaim for expected pods, the time by which these pods should exist has passed, and Kerf knows of
   * no pod on its node.
   */
  #isUnused(claim: NodeClaim): boolean {
    const age = this.#environment.clock.now() - Date.parse(claim.metadata.creationTimestamp ?? '')
    const isForecast = claim.metadata.annotations?.[LAUNCHED_FOR] !== undefined
    return isForecast && age + this.#tolerance() >= TIME_TO_USE && !this.#used.isKnownToHaveHadPods(claim)
  }

  #isTooMany(claim: NodeClaim): boolean {
    const name = claimPoolName(claim)
    const wanted = this.#pools.within(name, KNOWN_AFTER).flatMap(({ spec }) => spec.replicas ?? [])
    const own = this.#environment
      .claims()
      .filter((each) => claimPoolName(each) === name && each.metadata.deletionTimestamp === undefined)
    return wanted.length > 0 && own.length > Math.min(...wanted)
  }

  #neverArrived(claim: NodeClaim): Cause | undefined {
    const created = Date.parse(claim.metadata.creationTimestamp ?? '')
    const skew = this.#environment.clockSkews.any ? LARGEST_SKEW : 0
    const age = this.#environment.clock.now() - created + skew
    if (isConditionTrue(claim, 'Registered')) return undefined
    if (claim.status?.providerID !== undefined) return age >= TIME_TO_REGISTER ? 'never-registered' : undefined
    const { clock, cloud } = this.#environment
    const since = clock.monotonic() - (clock.now() - created) - (cloud.refusedFor ?? REFUSED_FOR)
    if (this.#environment.shortages.within(since, this.#environment.clock.monotonic())) return 'no-capacity'
    return age >= TIME_TO_LAUNCH ? 'never-launched' : undefined
  }
}
