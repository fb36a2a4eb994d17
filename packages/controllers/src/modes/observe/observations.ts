import {
  annotations,
  karpenterKinds,
  type Milliseconds,
  type NodeClaim,
  type NodePool,
  type Pod,
  type UsdPerHour,
} from '@kerf/apis'
import type { PlannedClaim } from '@kerf/engine'
import { defineMetrics } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { eventObject } from '../../event-object.ts'

/**
 * A decision that Kerf did not execute, because of observe mode. Pods appear only by UID. A reader who may list the pods can find their
 * names.
 */
export type ObservedDecision = {
  readonly at: Milliseconds
  readonly nodePools: readonly string[]
  readonly pods: readonly string[]
} & (
  | {
      readonly kind: 'launch'
      readonly instanceType: string
      readonly zone: string
      readonly capacityType: string
      /** Undefined if the price is unknown. */
      readonly price: UsdPerHour | undefined
    }
  | { readonly kind: 'place'; readonly node: string }
  | {
      readonly kind: 'disrupt'
      readonly reason: string
      readonly nodes: readonly string[]
      readonly replacements: number
      /** Undefined if the price of any of the nodes is unknown. */
      readonly savings: UsdPerHour | undefined
    }
)

/** The input for the record of a disruption. */
export interface ObservedDisruption {
  readonly reason: string
  readonly claims: readonly NodeClaim[]
  readonly nodes: readonly string[]
  readonly nodePools: readonly string[]
  readonly replacements: number
  readonly savings: UsdPerHour | undefined
  readonly pods: readonly Pod[]
}

/** If the annotation `kerf.sh/mode` of a NodePool has this value, Kerf only observes the NodePool. */
const OBSERVE = 'observe'
const KEPT = 400
/** How long a decision is valid. If the cluster is unchanged after this time, Kerf records the decision again. */
const STANDS_FOR: Milliseconds = 600_000

export const observationMetrics = defineMetrics({
  decisions: {
    name: 'kerf_observed_decisions_total',
    type: 'counter',
    help: 'Decisions not carried out because of observe mode, by kind (launch, place, disrupt) and NodePool.',
    labels: ['kind', 'nodepool'],
  },
  cost: {
    name: 'kerf_observed_launch_cost_total',
    type: 'counter',
    help: 'Sum of the prices, in dollars an hour, of the nodes that would have been launched.',
    labels: ['nodepool'],
  },
})

/** Returns whether the NodePool's own annotation sets observe mode. */
export const isObserving = ({ metadata }: NodePool): boolean => metadata.annotations?.[annotations.mode] === OBSERVE

const money = (price: UsdPerHour | undefined): string =>
  price === undefined ? 'an unknown price' : `$${price.toFixed(4)} an hour`

/**
 * Stores decisions that Kerf does not execute (`docs/spec/coexistence.md#observe-mode`). A valid decision is not recorded again, so each
 * pod has one recorded launch, and each set of nodes has one recorded disruption.
 */
export class Observations {
  readonly #deps: Pick<Deps, 'clock' | 'events' | 'log' | 'settings'>
  readonly #metrics
  readonly #kept: ObservedDecision[] = []
  readonly #decided = new Map<string, Milliseconds>()
  #version = 0

  constructor(deps: Pick<Deps, 'clock' | 'events' | 'log' | 'settings' | 'metrics'>) {
    this.#deps = deps
    this.#metrics = observationMetrics.register(deps.metrics)
  }

  /** Returns whether Kerf records decisions about the NodePool instead of executing them. */
  observes(pool: NodePool): boolean {
    return this.#deps.settings.observe || isObserving(pool)
  }

  /** The latest few hundred decisions, oldest first. */
  get recent(): readonly ObservedDecision[] {
    return this.#kept
  }

  /** The version of the decisions. It increases with every new decision. */
  get version(): number {
    return this.#version
  }

  /** Returns the pods for which no valid decision is recorded. */
  undecided(pods: readonly Pod[]): readonly Pod[] {
    this.#forgetOld()
    return pods.filter(({ metadata }) => !this.#decided.has(metadata.uid ?? ''))
  }

  launch(pool: NodePool, planned: PlannedClaim): void {
    const { instanceType, zone, capacityType, price } = planned.cheapest
    const pods = planned.pods.map(podUid)
    const what = `${instanceType} (${capacityType}, ${zone}) for ${pods.length} pod(s) at ${money(price)}`
    this.#add([pool.metadata.name], pods, { kind: 'launch', instanceType, zone, capacityType, price, pods })
    if (price !== undefined) this.#metrics.cost.inc({ nodepool: pool.metadata.name }, price)
    this.#deps.events.publish({
      object: eventObject(karpenterKinds.NodePool, pool),
      type: 'Normal',
      reason: 'WouldLaunch',
      message: `Would launch ${what}`,
      dedupeValues: pods,
    })
    this.#deps.log.info('would launch', { NodePool: { name: pool.metadata.name }, what })
  }

  place(node: string, pods: readonly Pod[]): void {
    this.#add([], pods.map(podUid), { kind: 'place', node, pods: pods.map(podUid) })
  }

  /** Records a disruption, unless a decision about the same nodes is still valid. */
  disrupt(found: ObservedDisruption): void {
    const { reason, nodes, nodePools, replacements, savings } = found
    const key = `${reason} ${[...nodes].sort().join(' ')} ${replacements}`
    this.#forgetOld()
    if (this.#decided.has(key)) return
    const saved = savings === undefined ? '' : `, saving ${money(savings)}`
    const how = replacements === 0 ? 'delete' : 'replace'
    this.#add(nodePools, [key], {
      ...{ kind: 'disrupt', reason, nodes, replacements, savings },
      pods: found.pods.map(podUid),
    })
    for (const claim of found.claims) {
      this.#deps.events.publish({
        object: eventObject(karpenterKinds.NodeClaim, claim),
        type: 'Normal',
        reason: 'WouldDisrupt',
        message: `Would ${how} ${nodes.join(', ')} (${reason})${saved}`,
        dedupeValues: [key, claim.metadata.uid ?? ''],
      })
    }
    this.#deps.log.info('would disrupt', { nodes, reason, replacements, savings })
  }

  #add(
    nodePools: readonly string[],
    keys: readonly string[],
    what: DistributiveOmit<ObservedDecision, 'at' | 'nodePools'>,
  ): void {
    const at = this.#deps.clock.now()
    for (const key of keys) this.#decided.set(key, at)
    this.#kept.push({ at, nodePools, ...what })
    if (this.#kept.length > KEPT) this.#kept.shift()
    this.#version++
    for (const nodepool of nodePools.length === 0 ? [''] : nodePools) {
      this.#metrics.decisions.inc({ kind: what.kind, nodepool })
    }
  }

  #forgetOld(): void {
    const now = this.#deps.clock.now()
    for (const [key, at] of this.#decided) if (now - at >= STANDS_FOR) this.#decided.delete(key)
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

const podUid = ({ metadata }: Pod): string => metadata.uid ?? ''
