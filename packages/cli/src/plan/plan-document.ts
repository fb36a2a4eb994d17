import { formatResources, type Pod, type UsdPerHour } from '@kerf/apis'
import type { CheapestOffering, Plan, PlannedClaim, Reason } from '@kerf/engine'
import type { PriceOrigin } from './price-book.ts'

/** A NodePool that sleeps at the time of the plan, and what happens to its running pods. */
export interface SleepingPool {
  readonly nodePool: string
  /** When the NodePool wakes, in the time zone of its policy. */
  readonly until: string
  readonly nodes: number
  /** The number of running pods that Kerf evicts when it removes these nodes. DaemonSet pods do not count. */
  readonly pods: number
  /** How many of these pods wait until the NodePool wakes, because no other node fits them. */
  readonly waiting: number
}

/** The output of `kerf plan -o json`. The same plan gives the same output, regardless of the order of the input. */
export interface PlanDocument {
  readonly nodeClaims: readonly {
    readonly nodePool: string
    readonly pods: readonly string[]
    /** At most 60 instance types, ordered by the price of the cheapest usable offering, then by name. */
    readonly instanceTypes: readonly string[]
    readonly cheapest: CheapestOffering
    /** The commitment of the ClusterPolicy that covers the node, so that its price is 0. Absent if no commitment covers it. */
    readonly commitment?: string
    /** The source of the price of the cheapest offering. Present if the ClusterPolicy has a price book. */
    readonly priceOrigin?: PriceOrigin
    /** The zones in which the claim may be launched. Absent if they were not computed. */
    readonly zones?: readonly string[]
    readonly requests: Readonly<Record<string, string>>
  }[]
  readonly existingNodes: readonly { readonly name: string; readonly pods: readonly string[] }[]
  readonly unschedulable: readonly {
    readonly pod: string
    readonly reason: string
    readonly reasons: readonly Reason[]
  }[]
  /** The NodePools that sleep at the time of the plan. The plan does not include their running pods. Absent if none sleeps. */
  readonly asleep?: readonly SleepingPool[]
  /** The total of all known prices. */
  readonly hourlyCost: UsdPerHour
  /** The additional cost of each node, which `hourlyCost` includes. Absent if it is not set. */
  readonly nodeOverheadCost?: UsdPerHour
  /** The number of NodeClaims whose price is unknown. Absent if it is 0. */
  readonly unpricedClaims?: number
}

const LISTED_TYPES = 60

export const podName = (pod: Pod): string => `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const names = (pods: readonly Pod[]): readonly string[] => pods.map(podName).sort(compare)

/**
 * Returns the plan as data for the output. `sentence` formats a reason for people. `zonesOf` returns the zones of a claim. `originOf`
 * returns where a price comes from.
 */
export const planDocument = (
  plan: Plan,
  sentence: (reason: Reason) => string,
  zonesOf?: (claim: PlannedClaim) => readonly string[],
  originOf?: (cheapest: CheapestOffering) => PriceOrigin,
): PlanDocument => ({
  nodeClaims: plan.claims
    .map((claim) => ({
      nodePool: claim.nodePool,
      pods: names(claim.pods),
      instanceTypes: claim.instanceTypes.slice(0, LISTED_TYPES),
      cheapest: claim.cheapest,
      ...(claim.commitment === undefined ? {} : { commitment: claim.commitment }),
      ...(originOf === undefined ? {} : { priceOrigin: originOf(claim.cheapest) }),
      ...(zonesOf === undefined ? {} : { zones: zonesOf(claim) }),
      requests: formatResources(claim.requests),
    }))
    .sort((a, b) => compare(a.pods[0] ?? '', b.pods[0] ?? '')),
  existingNodes: plan.placements
    .filter(({ pods }) => pods.length > 0)
    .map(({ node, pods }) => ({ name: node, pods: names(pods) }))
    .sort((a, b) => compare(a.name, b.name)),
  unschedulable: plan.unschedulable
    .map(({ pod, reasons }) => ({ pod: podName(pod), reason: reasons.map(sentence).join('; '), reasons }))
    .sort((a, b) => compare(a.pod, b.pod)),
  // Sums of prices have binary rounding errors, so they are rounded to nine digits. No price list has more digits.
  hourlyCost: Number(plan.hourlyCost.toFixed(9)),
  ...(plan.unpricedClaims === 0 ? {} : { unpricedClaims: plan.unpricedClaims }),
})
