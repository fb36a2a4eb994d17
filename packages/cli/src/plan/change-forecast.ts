import {
  conditionSets,
  findCondition,
  karpenterKinds,
  type NodeClaim,
  setCondition,
  type UsdPerHour,
  withConditions,
} from '@kerf/apis'
import { ClusterForecast, type DriftForecast, type ForecastOptions, type ProvisioningForecast } from '@kerf/controllers'
import { blockerRemedy, blockerSentence, reasonSentence } from '@kerf/engine'
import type { Clock } from '@kerf/runtime'
import type { OpenedTypes } from '../cluster/opened-types.ts'
import { otherProvider } from '../cluster/other-provider.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { defaultProvider } from '../providers.ts'
import { type ChangedObject, changedManifests, settledManifests } from './changed-manifests.ts'
import { classDrift } from './class-drift.ts'
import { buildSnapshot } from './load-snapshot.ts'
import { type ObservedCluster, observedDeps } from './observed-cluster.ts'
import { type PlanDocument, planDocument, podName } from './plan-document.ts'
import type { PlanningOptions } from './planning-options.ts'
import { type ClusterCost, costAfter, type PodMove, podMoves } from './pod-moves.ts'
import { typesOfPools } from './types-of-pools.ts'

/** A node that drifts because of the change. In a list, the nodes are in the order in which Kerf would replace them. */
export interface DriftingNode {
  readonly node: string
  readonly nodeClaim: string
  readonly nodePool: string
  /** The reason in the Drifted condition. */
  readonly reason: string
  readonly price?: UsdPerHour
  readonly pods: readonly string[]
  /** What blocks the replacement at present. Empty if nothing does. */
  readonly keptBy: readonly { readonly code: string; readonly sentence: string; readonly remedy?: string }[]
}

/** The output of `kerf plan --change -o json`. */
export interface ChangeForecast {
  readonly objects: readonly ChangedObject[]
  readonly drifting: readonly DriftingNode[]
  /** Nodes that are drifted today but would no longer be drifted after the change. */
  readonly noLongerDrifted: readonly string[]
  readonly moves: readonly PodMove[]
  readonly newNodes: PlanDocument['nodeClaims']
  /** Pods that run or would get a node today, but would have no node after the change. */
  readonly withoutPlace: readonly { readonly pod: string; readonly node?: string; readonly why: string }[]
  /** Pods that have no node today and would have none after the change. */
  readonly stillPending: readonly { readonly pod: string; readonly why: string }[]
  readonly cost: { readonly before: ClusterCost; readonly after: ClusterCost }
  readonly notLookedAt: readonly string[]
}

/** The drift reasons that Kerf computes itself. Providers compute all others. */
const OWN_REASONS: ReadonlySet<string> = new Set(['NodePoolDrifted', 'RequirementsDrifted', 'InstanceTypeNotFound'])

const driftedReason = (claim: NodeClaim): string | undefined => {
  const condition = findCondition(claim, 'Drifted')
  return condition?.status === 'True' ? (condition.reason ?? '') : undefined
}

/** Returns the claims with a Drifted condition for these reasons. */
const withDrift = (
  manifests: readonly Manifest[],
  reasons: ReadonlyMap<string, string>,
  now: number,
): readonly Manifest[] =>
  manifests.map((manifest) => {
    if (manifest.object.kind !== karpenterKinds.NodeClaim.kind) return manifest
    const claim = manifest.object as NodeClaim
    const reason = reasons.get(claim.metadata.name)
    const others = (claim.status?.conditions ?? []).filter(({ type }) => type !== 'Drifted')
    if (reason === undefined) return { ...manifest, object: withConditions(claim, others) }
    if (driftedReason(claim) === reason) return manifest
    const change = { type: 'Drifted', status: 'True', reason, message: reason } as const
    return { ...manifest, object: withConditions(claim, setCondition(conditionSets.NodeClaim, claim, change, now)) }
  })

export interface ChangeSettings extends PlanningOptions {
  /** The instance types of the loaded cluster, with their provider. If absent, node classes have no effect on the instance types. */
  readonly types?: OpenedTypes
}

/**
 * Returns the drift reason of the claim if only the provider can compute it. The forecast cannot query the provider, so it assumes that the
 * change does not affect this reason.
 */
const providerDriftReason = (claim: NodeClaim): string | undefined => {
  const reason = driftedReason(claim)
  return reason === undefined || OWN_REASONS.has(reason) ? undefined : reason
}

/** Compares a cluster before and after a change. */
class ChangeForecaster {
  readonly #loaded: ObservedCluster
  readonly #types: OpenedTypes
  readonly #planning: PlanningOptions
  readonly #clock: Clock
  readonly #signal = new AbortController().signal

  constructor(loaded: ObservedCluster, { types, ...planning }: ChangeSettings, clock: Clock) {
    this.#loaded = loaded
    this.#types = types ?? { source: defaultProvider, types: loaded.instanceTypes }
    this.#planning = planning
    this.#clock = clock
  }

  async forecast(change: readonly Manifest[]): Promise<ChangeForecast> {
    const before = settledManifests(this.#loaded.manifests)
    const { manifests: after, objects } = changedManifests(before, change)
    const classes = classDrift(before, after)
    const known = await this.#reasons(before, providerDriftReason)
    const reasons = await this.#reasons(after, (claim) => classes.reasonOf(claim) ?? providerDriftReason(claim))
    const marked = withDrift(after, reasons, this.#clock.now())
    const isNew = ({ nodeClaim }: DriftForecast): boolean => reasons.has(nodeClaim) && !known.has(nodeClaim)
    const drifting = (await (await this.#about(marked, providerDriftReason)).drifted(this.#signal)).filter(isNew)
    const isStuck = ({ simulation }: DriftForecast): boolean => (simulation?.unplaced.length ?? 0) > 0
    const leaving = new Set(drifting.filter((each) => !isStuck(each)).map(({ node }) => node))
    const today = await (await this.#about(before, providerDriftReason)).provisioning(this.#signal)
    const then = await (await this.#about(marked, providerDriftReason, { leaving, movesHeldPods: true })).provisioning(
      this.#signal,
    )
    return {
      objects,
      drifting: drifting.map((each) => driftingNode(each, reasons.get(each.nodeClaim) ?? '')),
      noLongerDrifted: [...known.keys()].filter((name) => !reasons.has(name)),
      ...placesAfter(drifting, today, then),
      cost: {
        before: costAfter(today, this.#loaded.instanceTypes, this.#planning.nodeOverheadCost),
        after: costAfter(then, this.#loaded.instanceTypes, this.#planning.nodeOverheadCost),
      },
      notLookedAt: classes.notLookedAt,
    }
  }

  async #about(
    manifests: readonly Manifest[],
    driftOf: (claim: NodeClaim) => string | undefined,
    options: ForecastOptions = {},
  ): Promise<ClusterForecast> {
    const { instanceTypes, options: provided } = this.#loaded
    const objects = manifests.map(({ object }) => object)
    const other = otherProvider(objects, this.#types)
    if (other !== undefined) throw other
    const { typesOf, arePriced } = typesOfPools(objects, this.#types)
    const read = buildSnapshot(manifests, typesOf, arePriced)
    const loaded = { ...read, options: { ...provided, ...read.options }, instanceTypes }
    return new ClusterForecast(observedDeps(loaded, this.#clock, this.#planning, driftOf), options)
  }

  /** Returns the drift reason of each claim, from its conditions and from the drift checks. */
  async #reasons(
    manifests: readonly Manifest[],
    driftOf: (claim: NodeClaim) => string | undefined,
  ): Promise<ReadonlyMap<string, string>> {
    return await (await this.#about(manifests, driftOf)).driftReasons(this.#signal)
  }
}

const driftingNode = (forecast: DriftForecast, reason: string): DriftingNode => {
  const { node, nodeClaim, nodePool, price, pods, blockers } = forecast
  return {
    ...{ node, nodeClaim, nodePool, reason },
    ...(price === undefined ? {} : { price }),
    pods: pods.map(podName).sort(),
    keptBy: blockers.map((blocker) => {
      const remedy = blockerRemedy(blocker)
      return { code: blocker.code, sentence: blockerSentence(blocker), ...(remedy === undefined ? {} : { remedy }) }
    }),
  }
}

/** Returns where evicted and pending pods would run after the change, and which pods would lose their node. */
const placesAfter = (
  drifting: readonly DriftForecast[],
  today: ProvisioningForecast,
  then: ProvisioningForecast,
): Pick<ChangeForecast, 'moves' | 'newNodes' | 'withoutPlace' | 'stillPending'> => {
  const planned = planDocument(then.plan, reasonSentence)
  const from = new Map(drifting.flatMap(({ node, pods }) => pods.map((pod) => [podName(pod), node] as const)))
  const fromOf = (pod: string): string | undefined => from.get(pod)
  const unplacedToday = new Set(today.plan.unschedulable.map(({ pod }) => podName(pod)))
  const stuck = drifting.flatMap(({ node, simulation }) =>
    (simulation?.unplaced ?? []).map(({ pod, why }) => ({ pod, node, why })),
  )
  return {
    newNodes: planned.nodeClaims,
    moves: podMoves(planned, fromOf),
    stillPending: planned.unschedulable
      .filter(({ pod }) => unplacedToday.has(pod))
      .map(({ pod, reason }) => ({ pod, why: reason })),
    withoutPlace: [
      ...stuck,
      ...planned.unschedulable
        .filter(({ pod }) => !unplacedToday.has(pod))
        .map(({ pod, reason }) => {
          const node = fromOf(pod)
          return { pod, ...(node === undefined ? {} : { node }), why: reason }
        }),
    ],
  }
}

/**
 * Forecasts the effects of changed objects with the controllers' own code: which nodes drift, what blocks their replacement, where the pods
 * would run, and the cost. Like the controllers, it keeps a drifted node if one of its pods fits nowhere else.
 * @throws UsageError if the change contains a NodePool whose provider is not the provider of the instance types
 */
export const forecastChange = (
  loaded: ObservedCluster,
  change: readonly Manifest[],
  settings: ChangeSettings,
  clock: Clock,
): Promise<ChangeForecast> => new ChangeForecaster(loaded, settings, clock).forecast(change)
