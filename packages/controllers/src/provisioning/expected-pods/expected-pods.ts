import { annotations, controllerOwner, type KubeObject, type Milliseconds, type Pod } from '@kerf/apis'
import type { ClusterSnapshot, Plan, PlannedClaim } from '@kerf/engine'
import type { Deps } from '../../deps.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { VirtualPods } from '../in-memory-pods.ts'
import { type Demand, noDemand } from './demand.ts'
import { podsDidNotAppear } from './events.ts'
import { listClaimTemplates, withExpectedClaims } from './expected-claims.ts'
import { expectedPod, expectedUid, isExpectedPod } from './expected-pod.ts'
import { expectedPodMetrics } from './expected-pod-metrics.ts'
import { LackedPods } from './lacked-pods.ts'
import { LaunchedAhead } from './launched-ahead.ts'
import { OwnerBackOff } from './owner-back-off.ts'
import { type Owner, type OwnerEvent, Owners } from './owners.ts'
import { planTargets, targetsOfPlan } from './plan-targets.ts'
import { PlanningLimits } from './planning-limits.ts'
import { limitPurchases } from './purchase-limit.ts'
import { QuotaLimit } from './quota-limit.ts'

/** The maximum number of expected pods in one plan. Beyond it, the pods of the remaining owners are planned only after they are created. */
export const MOST_EXPECTED = 10_000

type Missing = Extract<Demand, { readonly kind: 'missing' }>

interface Expected {
  readonly owner: Owner
  readonly template: Pod
  readonly claimTemplates: readonly KubeObject[]
  /** The expected pods by their UID. */
  readonly pods: ReadonlyMap<string, Pod>
  /** The expected pods that replace pods of nodes that are being removed, keyed by UID. They are already planned. */
  readonly successors: ReadonlyMap<string, Successor>
}

interface Successor {
  /** The UID of the pod that is replaced. */
  readonly left: string
  /** The NodeClaim, or the Node without a NodeClaim, that has capacity reserved for the replacement. */
  readonly target: string
}

/**
 * The pods that owners have not created yet, for the passes of the provisioner and of disruption (`docs/spec/expected-pods.md`). They exist
 * only in memory. If a pass places an expected pod, Kerf reserves the place for the next pod of the same owner.
 */
export class ExpectedPods implements VirtualPods {
  readonly owners: Owners
  readonly #backOff: OwnerBackOff
  readonly limits: PlanningLimits
  readonly launchedAhead: LaunchedAhead
  readonly #deps: Deps
  readonly #state: ClusterState
  readonly #metrics
  /** The expected pods of each owner, by the UID of the owner. */
  readonly #expected = new Map<string, Expected>()
  #total = 0
  /** The owners whose demand must be recomputed. */
  readonly #changed = new Set<string>()
  readonly #demands = new Map<string, Missing>()
  /** The owners that were in back-off when their expected pods were last computed: their names (`backOffKey`) by UID. */
  readonly #blocked = new Map<string, string>()
  readonly #lacked = new LackedPods()
  /** The owners that lacked pods and no longer need them. An owner is removed when its expected pods are recomputed. */
  readonly #withdrawn = new Set<string>()
  /** The owners with expected pods for which a pass may find a place. */
  readonly #needing = new Set<string>()
  /** The owners that have created all their pods. */
  readonly #complete = new Set<string>()
  /** The Jobs whose remaining pods are expected only after one of their pods has succeeded. */
  readonly #unproven = new Set<string>()

  constructor(deps: Deps, state: ClusterState) {
    this.#deps = deps
    this.#state = state
    this.owners = new Owners(deps)
    this.#backOff = new OwnerBackOff(deps.clock)
    this.limits = new PlanningLimits(deps, this.owners)
    this.launchedAhead = new LaunchedAhead(deps, state)
    this.#metrics = expectedPodMetrics.register(deps.metrics)
    deps.metrics.onScrape(() => this.#metrics.expected.set(this.#total))
  }

  /** Records an event of an owner. */
  changed(uid: string, event: OwnerEvent): void {
    this.#changed.add(uid)
    const owner = this.owners.get(uid)
    const name = owner === undefined ? this.#blocked.get(uid) : backOffKey(owner)
    if (event === 'pod-created') this.#lacked.created(uid)
    if (name === undefined) return
    if (event === 'pod-created') this.#backOff.appeared(name)
    this.#backOff.changed(name)
  }

  /**
   * Marks the owner's demand, so that the next plan recomputes it. The demand may change although the owner does not: when its back-off
   * ends, and while it has places for replacements of pods that left. In a namespace with quotas, the demand of all owners is recomputed
   * together, because they share the quotas.
   */
  recheck(uid: string): void {
    const blocked = this.#blocked.get(uid)
    const isReleased = blocked !== undefined && !this.#backOff.isBlocked(blocked)
    if (isReleased || this.hasSuccessors(uid)) this.#changed.add(uid)
  }

  /**
   * Returns whether a pass may find a place for expected pods of the owner that have no place yet. Releases places that are no longer
   * needed.
   */
  needsPass(uid: string): boolean {
    this.#refresh()
    const needs = this.#mayPlace(this.#expected.get(uid))
    if (needs) this.#needing.add(uid)
    else this.#needing.delete(uid)
    return needs
  }

  /** Whether the latest call of `needsPass` returned true for any owner. */
  get needsAnyPass(): boolean {
    return this.#needing.size > 0
  }

  #mayPlace(expected: Expected | undefined): boolean {
    if (expected === undefined) return false
    const { owner, template, pods, successors } = expected
    const places = this.#state.expectedPlaces.of(owner.uid)
    const isPlaced = (pod: string): boolean => places.has(pod) || successors.has(pod)
    if (pods.keys().every(isPlaced)) return false
    // If the owner has no places, its unused node comes from before a restart. A pass must still plan pods for that node.
    return places.size === 0 || !this.launchedAhead.hasUnused(ownerName(template))
  }

  /** Returns whether the owner has places for replacements of pods that left. Such places may end even if the owner does not change. */
  hasSuccessors(uid: string): boolean {
    return (this.#expected.get(uid)?.successors.size ?? 0) > 0
  }

  /** Returns when the back-off of the owner ends. Undefined if there is no back-off. */
  blockedUntil(uid: string): Milliseconds | undefined {
    const owner = this.owners.get(uid)
    return owner === undefined ? undefined : this.#backOff.blockedUntil(backOffKey(owner))
  }

  /** Returns the UID of the pod's owner if Kerf plans expected pods of that owner, otherwise undefined. */
  ownerUid(pod: Pod): string | undefined {
    const uid = controllerOwner(pod)?.uid
    if (uid === undefined) return undefined
    return this.#expected.has(uid) || this.#state.expectedPlaces.of(uid).size > 0 ? uid : undefined
  }

  /** Returns whether the plan includes all expected pods of the pod's owner. Also true if the owner has created all its pods. */
  isOwnerKnown(pod: Pod): boolean {
    const uid = controllerOwner(pod)?.uid
    return uid !== undefined && (this.#expected.has(uid) || this.#complete.has(uid))
  }

  pods(): readonly Pod[] {
    this.#refresh()
    return [...this.#expected.values()].flatMap(({ pods }) => [...pods.values()])
  }

  within(snapshot: ClusterSnapshot): ClusterSnapshot {
    this.#refresh()
    if (this.#expected.size === 0) return snapshot
    const plannedFor = new Map(snapshot.plannedFor)
    for (const [uid, { successors }] of this.#expected) {
      for (const [pod, target] of this.#state.expectedPlaces.of(uid)) plannedFor.set(pod, target)
      for (const [pod, { target }] of successors) plannedFor.set(pod, target)
    }
    const expected = Array.from(this.#expected.values(), ({ pods, claimTemplates }) => ({
      pods: pods.values(),
      claimTemplates,
    }))
    return withExpectedClaims({ ...snapshot, plannedFor }, expected)
  }

  isVirtual(pod: Pod): boolean {
    return isExpectedPod(pod)
  }

  /** Returns the plan with only the claims that Kerf may launch now (`limitPurchases`). */
  limited(plan: Plan, snapshot: ClusterSnapshot): Plan {
    const owners = ({ pods }: PlannedClaim): readonly string[] => [
      ...new Set(pods.filter(isExpectedPod).map(ownerName)),
    ]
    const isPlanned = targetsOfPlan(plan, snapshot, this.#state)
    return {
      ...plan,
      claims: limitPurchases(plan.claims, owners, (owner) => this.launchedAhead.hasUnused(owner, isPlanned)),
    }
  }

  /** Stores the places that the plan assigns to expected pods on nodes that exist or are being launched. */
  placed(plan: Plan, snapshot: ClusterSnapshot): void {
    const targets = planTargets(snapshot)
    const { expectedPlaces } = this.#state
    // A pod that was created during planning may have taken a place from the snapshot. The capacity of that place must not be reserved
    // twice.
    const isTaken = (pod: Pod): boolean =>
      snapshot.plannedFor?.has(pod.metadata.uid ?? '') === true &&
      !expectedPlaces.has(controllerOwner(pod)?.uid ?? '', pod.metadata.uid ?? '')
    for (const { node, pods } of plan.placements) {
      const left = pods.filter((pod) => isExpectedPod(pod) && !isTaken(pod))
      this.#keep(left, targets.get(node) ?? node)
    }
  }

  /** Stores the places of the expected pods in a claim that has been created. */
  launched({ pods }: PlannedClaim, claim: string): void {
    this.#keep(pods, claim)
  }

  /**
   * Returns the claim with an annotation that lists the owners of its pods. It lists only owners for which Kerf plans expected pods. It
   * also lists the owners of existing pods: kube-scheduler may bind an existing pod to the node that was launched for an expected pod, and
   * then the node of this claim remains unused.
   */
  withOwners(planned: PlannedClaim): PlannedClaim {
    const names = planned.pods.filter((pod) => this.ownerUid(pod) !== undefined).map(ownerName)
    if (names.length === 0) return planned
    const launchedFor = [...new Set(names)].sort().join(',')
    return { ...planned, annotations: { ...planned.annotations, [annotations.launchedFor]: launchedFor } }
  }

  /**
   * Releases the places of an owner whose pods did not appear in time. Returns when its remaining places end, or undefined if there are
   * none.
   */
  endOverdue(uid: string): Milliseconds | undefined {
    const until = this.#state.expectedPlaces.until(uid)
    if (until === undefined || until > this.#deps.clock.now()) return until
    this.#giveUp(uid)
    return undefined
  }

  #giveUp(uid: string): void {
    const places = this.#state.expectedPlaces.of(uid)
    this.#state.expectedPlaces.end(uid, places.keys())
    this.#changed.add(uid)
    this.#metrics.unused.inc({}, places.size)
    const owner = this.owners.get(uid)
    if (owner === undefined) return
    const until = this.#backOff.failed(backOffKey(owner))
    this.#deps.events.publish(podsDidNotAppear(owner, places.size, until - this.#deps.clock.now()))
    this.#deps.log.info('expected pods did not appear', {
      [owner.kind.kind.kind]: { namespace: owner.object.metadata.namespace, name: owner.object.metadata.name },
      pods: places.size,
    })
  }

  #keep(pods: readonly Pod[], target: string): void {
    const owners = new Set<string>()
    for (const pod of pods) {
      if (!isExpectedPod(pod)) continue
      const uid = controllerOwner(pod)?.uid
      if (uid === undefined) continue
      const successor = this.#expected.get(uid)?.successors.get(pod.metadata.uid ?? '')
      if (successor !== undefined) {
        if (successor.target !== target) this.#state.moveSuccessor(successor.left, target)
        owners.add(uid)
        continue
      }
      this.#state.expectedPlaces.keep(uid, pod, target, this.#deps.clock.now())
      owners.add(uid)
    }
    if (owners.size === 0) return
    // Pods that were created during planning take their places now.
    this.#state.offerExpectedPlaces()
    for (const uid of owners) this.#changed.add(uid)
  }

  /** Recomputes the expected pods of the owners that changed, and of the owners that share a quota with them. */
  #refresh(): void {
    if (this.#changed.size === 0) return
    const shared = new Set<string>()
    for (const uid of this.#changed) {
      this.#readDemand(uid)
      const owner = this.owners.get(uid) ?? this.#expected.get(uid)?.owner
      const namespace = owner?.object.metadata.namespace ?? 'default'
      const hasQuota = this.owners.quotas(namespace).length > 0
      if (hasQuota) shared.add(namespace)
      // The namespace no longer has a deleted owner.
      if (!hasQuota || this.owners.get(uid) === undefined) this.#put(uid, (demand) => demand.count)
    }
    this.#changed.clear()
    for (const namespace of shared) {
      const quota = new QuotaLimit(this.owners.quotas(namespace))
      for (const uid of this.owners.inNamespace(namespace)) {
        this.#put(uid, ({ template, count }) => quota.admit(template, count))
      }
    }
  }

  /** Replaces the expected pods of one owner. Releases places that are no longer needed, for example after a scale-down. */
  #put(uid: string, admitted: (demand: Missing) => number): void {
    const before = this.#expected.get(uid)
    const blocked = this.#blocked.get(uid)
    this.#total -= before?.pods.size ?? 0
    this.#expected.delete(uid)
    const owner = this.owners.get(uid)
    const demand = this.#demands.get(uid)
    const isBlocked = owner !== undefined && this.#backOff.isBlocked(backOffKey(owner))
    if (isBlocked) this.#blocked.set(uid, backOffKey(owner))
    else this.#blocked.delete(uid)
    const count =
      owner === undefined || demand === undefined || isBlocked
        ? 0
        : Math.min(MOST_EXPECTED - this.#total, admitted(demand))
    if (owner !== undefined && demand !== undefined && count > 0) {
      const made = this.#expect(owner, demand, count, before)
      this.#expected.set(uid, made)
      this.#total += made.pods.size
    }
    const expected = this.#expected.get(uid)?.pods
    const surplus = [...this.#state.expectedPlaces.of(uid).keys()].filter((pod) => expected?.has(pod) !== true)
    this.#state.expectedPlaces.end(uid, surplus)
    const known = owner ?? before?.owner
    const name = known === undefined ? blocked : backOffKey(known)
    const isWithdrawn = this.#withdrawn.delete(uid) || surplus.length > 0
    if (isWithdrawn && name !== undefined && expected === undefined && !this.#unproven.has(uid)) {
      this.#backOff.withdrawn(name)
    }
  }

  #readDemand(uid: string): void {
    const owner = this.owners.get(uid)
    const demand = owner === undefined ? undefined : this.#demandApart(owner)
    if (this.#lacked.read(uid, owner === undefined ? 'deleted' : demand)) this.#withdrawn.add(uid)
    if (demand?.kind === 'missing') this.#demands.set(uid, demand)
    else this.#demands.delete(uid)
    if (demand?.kind === 'none' && demand.reason === 'complete') this.#complete.add(uid)
    else this.#complete.delete(uid)
    if (demand?.kind === 'none' && demand.reason === 'unproven') this.#unproven.add(uid)
    else this.#unproven.delete(uid)
  }

  /** Returns the demand of an owner. Undefined if the owner cannot be read, so that Kerf expects no pods of it. */
  #demandApart(owner: Owner): Demand | undefined {
    const { isolation } = this.#state
    const read = (): Demand => {
      const demand = this.owners.demand(owner)
      if (demand.kind === 'none' || !this.#state.others.serves(demand.template)) return demand
      return noDemand('other-autoscaler')
    }
    return isolation.guard(owner.kind.kind.kind, 'provisioning', owner.object, read, undefined)
  }

  #expect(owner: Owner, { template, names }: Missing, count: number, before: Expected | undefined): Expected {
    const claimTemplates = listClaimTemplates(owner)
    const isSame = before?.template === template
    const pods = new Map<string, Pod>()
    const add = (uid: string, name: string): void => {
      const known = isSame ? before.pods.get(uid) : undefined
      pods.set(uid, known ?? expectedPod(template, { uid, name }, claimTemplates))
    }
    const successors = new Map<string, Successor>()
    const succeed = (family: string, name: (left: string) => string): void => {
      for (const [left, target] of this.#state.successorPlaces(family)) {
        if (pods.size >= count) return
        const uid = expectedUid(owner.uid, name(left))
        successors.set(uid, { left, target })
        add(uid, name(left))
      }
    }
    if (names === undefined) {
      succeed(owner.uid, (left) => `successor-${left}`)
      for (const uid of this.#state.expectedPlaces.of(owner.uid).keys())
        if (pods.size < count) add(uid, nameIn(owner, uid))
      for (let index = 1; pods.size < count; index++) {
        const name = `${owner.object.metadata.name}-expected-${index}`
        add(expectedUid(owner.uid, name), name)
      }
    } else {
      for (const name of names.slice(0, count)) {
        succeed(`${owner.uid}/${name}`, () => name)
        add(expectedUid(owner.uid, name), name)
      }
    }
    return { owner, template, claimTemplates, pods, successors }
  }
}

/** Returns the key of an owner's back-off: its kind, namespace and name. */
const backOffKey = ({ kind, object: { metadata } }: Owner): string =>
  `${kind.kind.kind}/${metadata.namespace ?? 'default'}/${metadata.name}`

const nameIn = (owner: Owner, uid: string): string => uid.slice(expectedUid(owner.uid, '').length)

/** Returns the owner of an expected pod as `Kind/namespace/name`. */
const ownerName = (pod: Pod): string => {
  const owner = controllerOwner(pod)
  return `${owner?.kind}/${pod.metadata.namespace ?? 'default'}/${owner?.name}`
}
