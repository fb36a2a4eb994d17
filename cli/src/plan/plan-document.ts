import { formatResources, type Pod, type UsdPerHour } from '@kerf/apis'
import type { CheapestOffering, Plan, PlannedClaim, Reason } from '@kerf/engine'

/** The JSON of `kerf plan -o json`: the same for the same plan, whatever the order of the input. */
export interface PlanDocument {
  readonly nodeClaims: readonly {
    readonly nodePool: string
    readonly pods: readonly string[]
    /** By cheapest usable offering, then name; at most 60. */
    readonly instanceTypes: readonly string[]
    readonly cheapest: CheapestOffering
    /** The zones in which it may be launched; absent where the cluster was not at hand. */
    readonly zones?: readonly string[]
    readonly requests: Readonly<Record<string, string>>
  }[]
  readonly existingNodes: readonly { readonly name: string; readonly pods: readonly string[] }[]
  readonly unschedulable: readonly {
    readonly pod: string
    readonly reason: string
    readonly reasons: readonly Reason[]
  }[]
  /** Of what has a known price. */
  readonly hourlyCost: UsdPerHour
  /** What every node costs beside its instance, part of `hourlyCost`; absent when nobody said. */
  readonly nodeOverheadCost?: UsdPerHour
  /** How many NodeClaims nobody knows a price of; absent when there are none. */
  readonly unpricedClaims?: number
}

const LISTED_TYPES = 60

export const podName = (pod: Pod): string => `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const names = (pods: readonly Pod[]): readonly string[] => pods.map(podName).sort(compare)

/** The plan as data to print. `sentence` words a reason for people, `zonesOf` tells where a claim may be launched. */
export const planDocument = (
  plan: Plan,
  sentence: (reason: Reason) => string,
  zonesOf?: (claim: PlannedClaim) => readonly string[],
): PlanDocument => ({
  nodeClaims: plan.claims
    .map((claim) => ({
      nodePool: claim.nodePool,
      pods: names(claim.pods),
      instanceTypes: claim.instanceTypes.slice(0, LISTED_TYPES),
      cheapest: claim.cheapest,
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
  // Sums of prices carry the noise of binary fractions; nine digits are more than any price list has.
  hourlyCost: Number(plan.hourlyCost.toFixed(9)),
  ...(plan.unpricedClaims === 0 ? {} : { unpricedClaims: plan.unpricedClaims }),
})
