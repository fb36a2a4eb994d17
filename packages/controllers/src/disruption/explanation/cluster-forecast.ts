import { isConditionTrue, karpenterKinds, labels, type NodeClaim, type Pod, type UsdPerHour } from '@kerf/apis'
import { type Blocker, type ClusterSnapshot, type Plan, schedule } from '@kerf/engine'
import { isManagedClaim } from '../../nodeclaim/ownership.ts'
import { PodDisruptionBudgets } from '../../pod/pod-disruption-budgets.ts'
import { isReschedulable } from '../../pod/pod-predicates.ts'
import { launchablePools, poolOptions } from '../../provisioning/launchable-pools.ts'
import { pendingPods, podsOnDeletingNodes } from '../../provisioning/pending-pods.ts'
import { provisioningOptions } from '../../provisioning/provisioning-options.ts'
import { volumeLookup } from '../../provisioning/volume-validation.ts'
import { ClusterState, type MirrorDeps } from '../../state/cluster-state.ts'
import { ifReadable } from '../../state/isolation/if-readable.ts'
import { Snapshots } from '../../state/snapshot.ts'
import { type Assessment, blockersFor, candidateFor, podBlockers } from '../candidates/assessment.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { DriftChecks } from '../conditions/drift-checks.ts'
import { byUrgency, drift } from '../methods/drift.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import { DisruptionPasses } from '../passes/disruption-passes.ts'
import type { Simulation } from '../simulation/simulator.ts'
import { budgetsByReason, upfrontBlocker } from './disruption-status.ts'
import { forecastDrain, type StayingPod } from './drain-forecast.ts'
import { isUnderWay } from './node-explainer.ts'

/** The prediction for a drifted node. */
export interface DriftForecast {
  readonly node: string
  readonly nodeClaim: string
  readonly nodePool: string
  /** Undefined if the price is unknown. */
  readonly price: UsdPerHour | undefined
  /** Pods that would have to move to other nodes. */
  readonly pods: readonly Pod[]
  /** Why the node is not disrupted at present. Empty if nothing blocks the node, and Kerf merely disrupts other nodes before it. */
  readonly blockers: readonly Blocker[]
  /** Where its pods would run if this node were deleted. Absent if something else blocks the node. */
  readonly simulation?: Simulation
}

/** The prediction for the next pass of the provisioner. */
export interface ProvisioningForecast {
  readonly snapshot: ClusterSnapshot
  readonly plan: Plan
  /** Pods that need a node. */
  readonly pending: readonly Pod[]
  /** Pods on nodes that are being removed. */
  readonly leaving: readonly Pod[]
  /** The pods that a drain cannot evict at present, keyed by node name. The node is not deleted while it has any of these pods. */
  readonly staying: ReadonlyMap<string, readonly StayingPod[]>
}

export interface ForecastOptions {
  /** Names of Nodes or NodeClaims to treat as deleted. */
  readonly leaving?: ReadonlySet<string>
  /**
   * Whether the plan includes pods that cannot be evicted at present. If true, the plan shows what would happen if nothing blocked their
   * eviction.
   */
  readonly movesHeldPods?: boolean
}

/**
 * Predicts the next decisions of the controllers from the objects of a cluster alone. The objects come from files, from a recording, or
 * from a single read of a live cluster. The forecast uses the decision code of the controllers and changes nothing. It lacks the state that
 * a running Kerf has only in memory: planned placements of pods, and undone moves.
 */
export class ClusterForecast {
  readonly #deps: MirrorDeps
  readonly #state: ClusterState
  readonly #snapshots: Snapshots
  readonly #passes: DisruptionPasses
  readonly #budgets: PodDisruptionBudgets
  readonly #movesHeldPods: boolean

  constructor(deps: MirrorDeps, { leaving = new Set(), movesHeldPods = false }: ForecastOptions = {}) {
    const state = new ClusterState(deps)
    state.follow()
    for (const node of state.nodes()) {
      const names = [node.name, node.node?.metadata.name, node.claim?.metadata.name]
      if (names.some((name) => name !== undefined && leaving.has(name))) state.markForDeletion(node.providerID)
    }
    this.#deps = deps
    this.#state = state
    this.#snapshots = new Snapshots(deps, state)
    this.#budgets = new PodDisruptionBudgets(deps.informers)
    this.#movesHeldPods = movesHeldPods
    const isQueued = (providerID: string): boolean => isUnderWay(state.byProviderID(providerID))
    this.#passes = new DisruptionPasses({ ...deps, state, snapshots: this.#snapshots, isQueued })
  }

  /**
   * Returns why NodeClaims have drifted, by name, with the same reasons as the Drifted condition. Omits claims whose drift cannot be
   * determined.
   */
  async driftReasons(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { informers, provider } = this.#deps
    const checks = new DriftChecks(this.#deps)
    const pools = informers.of(karpenterKinds.NodePool)
    const reasons = new Map<string, string>()
    for (const claim of informers.of(karpenterKinds.NodeClaim).values()) {
      const pool = ifReadable(() =>
        claim.metadata.deletionTimestamp === undefined && isManagedClaim(provider, claim)
          ? pools.get(claim.metadata.labels?.[labels.nodePool] ?? '')
          : undefined,
      )
      if (pool === undefined) continue
      const reason = await checks.reasonOf(claim, pool, signal)
      if (reason !== undefined) reasons.set(claim.metadata.name, reason)
    }
    return reasons
  }

  /** Returns the nodes whose claims have the Drifted condition, in the order in which they would be replaced. */
  async drifted(signal: AbortSignal): Promise<readonly DriftForecast[]> {
    const pass = await this.#passes.begin(signal)
    const found = pass.assessments.flatMap((assessment) => {
      const { candidate } = assessment
      return candidate === undefined || !isDrifted(candidate.claim) ? [] : [{ assessment, candidate }]
    })
    const forecasts: DriftForecast[] = []
    for (const { assessment, candidate } of found.toSorted((a, b) => byUrgency(a.candidate, b.candidate))) {
      forecasts.push(await this.#forecastOf(assessment, candidate, pass, signal))
    }
    return forecasts
  }

  async #forecastOf(
    assessment: Assessment,
    candidate: Candidate,
    pass: DisruptionPass,
    signal: AbortSignal,
  ): Promise<DriftForecast> {
    const { name, claim, poolName, price, reschedulable } = candidate
    const budget = pass.budgets('Drifted').blocker(poolName)
    const blockers: Blocker[] = [
      ...blockersFor(assessment, drift.class),
      ...drift.eligibility(candidate, this.#state),
      ...(budget === undefined ? [] : [budget]),
    ]
    const about = { node: name, nodeClaim: claim.metadata.name, nodePool: poolName, price, pods: reschedulable }
    if (candidateFor(assessment, drift.class) === undefined) return { ...about, blockers }
    if (!(await pass.canSimulate(false, signal))) return { ...about, blockers: [...blockers, { code: 'pools.none' }] }
    const simulation = await pass.simulate([candidate], false, signal)
    if (simulation.unplaced.length > 0) blockers.push({ code: 'pods.unschedulable', pods: simulation.unplaced })
    return { ...about, blockers, simulation }
  }

  /**
   * Returns the first blocker of each node by Node name, as far as blockers are known without a simulation. For a node without a NodeClaim,
   * this is the first blocker among its pods. Omits nodes without a blocker.
   */
  async keepers(signal: AbortSignal): Promise<ReadonlyMap<string, Blocker>> {
    const pass = await this.#passes.begin(signal)
    const budgets = budgetsByReason(pass)
    const keepers = new Map<string, Blocker>()
    for (const assessment of pass.assessments) {
      const { node, claim, pods } = assessment.state
      if (node === undefined) continue
      const blocker =
        claim === undefined
          ? podBlockers(pods, this.#budgets, pass.now)[0]
          : upfrontBlocker(assessment, this.#state, budgets)
      if (blocker !== undefined) keepers.set(node.metadata.name, blocker)
    }
    return keepers
  }

  /** Returns the plan that the provisioner would make for pending pods and for pods on nodes that are being removed. */
  async provisioning(signal: AbortSignal): Promise<ProvisioningForecast> {
    const deps = this.#deps
    const now = deps.clock.now()
    const options = await poolOptions(deps, launchablePools(deps), signal)
    await this.#state.loadPolicies(signal)
    const snapshot = this.#snapshots.take(options)
    const pending = pendingPods(this.#state, deps.provider.vocabulary, volumeLookup(deps.informers)).pods
    const nodes = [...this.#state.nodes()].filter((node) => node.isMarkedForDeletion)
    const drains = this.#movesHeldPods
      ? []
      : nodes.map((node) => ({ node, ...forecastDrain(node, this.#budgets, now) }))
    const leaving = this.#movesHeldPods
      ? nodes.flatMap((node) => node.pods.filter(isReschedulable))
      : [
          ...new Set([
            ...podsOnDeletingNodes(this.#state, this.#budgets, now),
            // Kerf deletes these pods by force. Their owners create replacement pods, which the next pass plans.
            ...drains.flatMap(({ forced }) => forced),
          ]),
        ]
    const pods = [...pending, ...leaving]
    const plan = schedule(snapshot, pods, provisioningOptions(deps, pods.length))
    const staying = new Map(drains.flatMap(({ node, staying }) => (staying.length === 0 ? [] : [[node.name, staying]])))
    return { snapshot, plan, pending, leaving, staying }
  }
}

const isDrifted = (claim: NodeClaim): boolean => isConditionTrue(claim, 'Drifted')
