import { isConditionTrue, karpenterKinds, kinds, type Milliseconds, type NodeClaim, type Pod } from '@kerf/apis'
import {
  type ClusterSnapshot,
  describeReasons,
  type NodeState,
  type Plan,
  type PlannedClaim,
  type PlannedPlacement,
  type Reason,
  withRemedies,
} from '@kerf/engine'
import type { Logger } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { podKey } from '../pod/pod-predicates.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import { type DecisionLog, podId } from './decision-log.ts'
import { failedScheduling, noCompatibleInstanceTypes, podPlaced } from './events.ts'
import { withoutPools } from './launchable-pools.ts'
import type { IgnoredPod } from './pending-pods.ts'
import type { Remedies } from './remedies.ts'
import { shortened } from './shortened.ts'

/**
 * Records and reports the results of a pass: pod timings, placements, Events, log lines and decisions
 * (`docs/spec/pending-pods.md#what-a-pass-records`).
 */
export class PassRecord {
  readonly #deps: Pick<Deps, 'clock' | 'events' | 'informers' | 'log' | 'metrics' | 'provider'>
  readonly #state: ClusterState
  readonly #decisions: DecisionLog
  readonly #log: Logger
  readonly #isVirtual: (pod: Pod) => boolean

  /** `isVirtual` returns whether a pod exists only in memory. Such pods are not reported. */
  constructor(
    deps: Pick<Deps, 'clock' | 'events' | 'informers' | 'log' | 'metrics' | 'provider'>,
    { state, decisions, log }: { readonly state: ClusterState; readonly decisions: DecisionLog; readonly log: Logger },
    isVirtual: (pod: Pod) => boolean,
  ) {
    this.#deps = deps
    this.#state = state
    this.#decisions = decisions
    this.#log = log
    this.#isVirtual = isVirtual
  }

  /**
   * Reports the start of a pass for `pods`, the pods that kube-scheduler has refused, and `untried`, the pods that it has not tried yet.
   * Logs nothing if `pods` is empty, because the pass is then only for expected pods.
   */
  found(pods: readonly Pod[], untried: readonly Pod[] = []): void {
    if (pods.length === 0) return
    this.#log.info('found provisionable pod(s)', {
      Pods: shortened(pods.map(podKey)),
      pods: pods.length,
      ...(untried.length > 0 && { untried: untried.length }),
    })
  }

  /** Reports pods that Kerf cannot provide a node for. */
  ignored(ignored: readonly IgnoredPod[]): void {
    const now = this.#deps.clock.now()
    for (const { pod, problems } of ignored) {
      this.#apart(pod, () => this.#ignore(pod, problems, now))
    }
  }

  /** Reports one pod. An error affects only this pod. */
  #apart(pod: Pod, report: () => void): void {
    this.#state.isolation.guard('Pod', 'provisioning', pod, report, undefined)
  }

  #ignore(pod: Pod, problems: readonly string[], now: Milliseconds): void {
    this.#nowhere(pod, now)
    if (problems.length === 0) return
    const subject = `pod/${podKey(pod)}`
    const reasons = problems.map((problem) => ({ code: 'pod.invalid' as const, subject, detail: { problem } }))
    this.#deps.events.publish(failedScheduling(pod, `ignoring pod, ${problems.join('; ')}`))
    if (this.#decisions.refused(now, podId(pod), reasons)) {
      this.#log.error('ignoring pod', { Pod: podRef(pod), error: problems.join('; ') })
    }
  }

  #nowhere(pod: Pod, now: Milliseconds): void {
    this.#state.timings.markUnschedulable(pod, now)
    this.#state.placements.forget(pod)
  }

  /** Reports pods that cannot be placed because no pool can launch nodes. */
  withoutPools(pods: readonly Pod[]): void {
    const now = this.#deps.clock.now()
    const why = withoutPools(this.#deps)
    const reasons = [{ code: 'nodepool.none' as const, subject: 'cluster', detail: {} }]
    for (const pod of pods) {
      this.#nowhere(pod, now)
      this.#deps.events.publish(failedScheduling(pod, why))
      if (this.#decisions.refused(now, podId(pod), reasons)) {
        this.#log.error('could not schedule pod', { Pod: podRef(pod), error: why })
      }
    }
  }

  /** Reports a plan. Returns how many pods could not be placed. `remedies` finds single changes that would make such a pod schedulable. */
  planned(plan: Plan, snapshot: ClusterSnapshot, remedies: Remedies): number {
    const now = this.#deps.clock.now()
    const { timings } = this.#state
    let unschedulable = 0
    for (const { pod, reasons } of plan.unschedulable) {
      // The pod waits only for reserved capacity that other claims of this pass may use. The next pass plans the pod when it is known which
      // reservations are left.
      if (reasons[0]?.code === 'reservation.exhausted') continue
      unschedulable++
      if (this.#isVirtual(pod)) continue
      // Remedies are tried on the whole snapshot. If the plan left out unreadable objects, the remedies would not match the plan.
      const tried = plan.setAside === undefined ? remedies : undefined
      this.#apart(pod, () => this.#refuse(pod, reasons, tried, now))
    }
    this.#reportEmptyPools(plan, snapshot)
    for (const { nodePool, pods } of plan.claims) {
      const healthy = this.#isHealthy(nodePool)
      for (const pod of pods) if (this.#exists(pod)) timings.markSchedulable(pod, now, healthy)
    }
    const byName = new Map(snapshot.nodes.map((node) => [node.name, node]))
    for (const placement of plan.placements) this.#place(placement, byName)
    this.#summarise(plan)
    return unschedulable
  }

  /** Returns whether the pod still exists. Nothing is recorded for a pod that was deleted during planning. */
  #exists(pod: Pod): boolean {
    return !this.#isVirtual(pod) && this.#deps.informers.of(kinds.Pod).get(podKey(pod)) !== undefined
  }

  #refuse(pod: Pod, reasons: readonly Reason[], remedies: Remedies | undefined, now: Milliseconds): void {
    this.#nowhere(pod, now)
    const changes = this.#decisions.remediesOf(podKey(pod), reasons) ?? remedies?.of(pod, reasons)
    const why = withRemedies(describeReasons(reasons), changes ?? [])
    this.#deps.events.publish(failedScheduling(pod, why))
    if (!this.#decisions.refused(now, podId(pod), reasons, changes)) return
    if (reasons[0]?.code === 'pod.device-claim')
      this.#log.info('skipping pod with DRA requirements', { Pod: podRef(pod) })
    else this.#log.error('could not schedule pod', { Pod: podRef(pod), error: why })
  }

  /** Publishes an Event on each pool whose requirements exclude all instance types. The pods that need the pool get separate Events. */
  #reportEmptyPools(plan: Plan, snapshot: ClusterSnapshot): void {
    const empty = new Map<string, boolean>()
    for (const { reasons } of plan.unschedulable) {
      for (const { code, subject, detail } of reasons) {
        const isForMinValues = code === 'min-values.unmet' && detail['types'] === 'all its'
        if (code === 'nodepool.catalogue-empty' || isForMinValues) empty.set(subject, isForMinValues)
      }
    }
    for (const { nodePool } of snapshot.pools) {
      const isForMinValues = empty.get(`nodepool/${nodePool.metadata.name}`)
      if (isForMinValues === undefined) continue
      this.#deps.events.publish(noCompatibleInstanceTypes(nodePool, isForMinValues))
    }
  }

  #place(placement: PlannedPlacement, byName: ReadonlyMap<string, ClusterSnapshot['nodes'][number]>): void {
    const node = byName.get(placement.node)
    const pods = placement.pods.filter((pod) => !this.#isVirtual(pod))
    if (node === undefined || pods.length === 0) return
    const state = this.#state
    const now = this.#deps.clock.now()
    const healthy = node.nodePool !== undefined && this.#isHealthy(node.nodePool)
    if (node.providerID !== undefined) state.expectPods(node.providerID)
    const place = node.nodeClaim ?? node.name
    const news = pods.filter((pod) => state.placements.decidedTarget(pod) !== place)
    for (const pod of pods) state.timings.markSchedulable(pod, now, healthy)
    this.#tell(pods, node)
    for (const pod of pods) state.placements.assign(pod, place)
    // Every pass plans a pod again until it is bound. A decision is recorded only if the planned node changes.
    if (news.length > 0) this.#decisions.placed(now, placement.node, news.map(podId))
  }

  /** Publishes the Nominated Events of these pods, unless the node belongs to another autoscaler. */
  #tell(pods: readonly Pod[], { managed, nodeClaim, nodeName, providerID = '' }: NodeState): void {
    const { events } = this.#deps
    const state = this.#state
    if (!managed && state.others.ignores(state.byProviderID(providerID)?.node)) return
    const target = {
      ...(nodeName === undefined ? {} : { node: nodeName }),
      ...(nodeClaim === undefined ? {} : { nodeClaim }),
    }
    for (const pod of pods) events.publish(podPlaced(pod, target))
  }

  #summarise(plan: Plan): void {
    const inClaims = plan.claims.reduce((sum, claim) => sum + claim.pods.length, 0)
    if (plan.claims.length > 0) {
      this.#log.info('computed new nodeclaim(s) to fit pod(s)', { nodeclaims: plan.claims.length, pods: inClaims })
    }
    const placed = plan.placements.filter(({ pods }) => pods.length > 0)
    if (placed.length > 0) {
      const pods = placed.reduce((sum, placement) => sum + placement.pods.length, 0)
      this.#log.info('computed unready node(s) will fit pod(s)', { nodes: placed.length, pods })
    }
  }

  /** Reports that a claim of the plan has been created. */
  launched(planned: PlannedClaim, created: NodeClaim): void {
    const name = created.metadata.name
    const pods = planned.pods.filter((pod) => !this.#isVirtual(pod))
    for (const pod of pods) this.#deps.events.publish(podPlaced(pod, { nodeClaim: name }))
    for (const pod of pods) this.#state.assignToClaim(pod, name)
    this.#decisions.launched(this.#deps.clock.now(), name, planned, pods.map(podId))
    this.#log.info('created nodeclaim', {
      NodePool: { name: planned.nodePool },
      NodeClaim: { name },
      requests: created.spec.resources?.requests,
      'instance-types': shortened(planned.instanceTypes),
    })
  }

  /**
   * Reports that a new pod replaces another pod and takes its place on `target`, a NodeClaim or a Node without a NodeClaim. Usually, no
   * pass plans such a pod.
   */
  succeeded(pod: Pod, target: string): void {
    const node = this.#state.byClaimName(target) ?? this.#state.byNodeName(target)
    if (node === undefined) this.#deps.events.publish(podPlaced(pod, { nodeClaim: target }))
    else this.#tell([pod], this.#state.viewOf(node))
  }

  #isHealthy(pool: string): boolean {
    const found = this.#deps.informers.of(karpenterKinds.NodePool).get(pool)
    return found !== undefined && isConditionTrue(found, 'NodeRegistrationHealthy')
  }
}

const podRef = (pod: Pod) => ({ namespace: pod.metadata.namespace, name: pod.metadata.name })
