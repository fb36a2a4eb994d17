import type { ClaimDocument, PlanDocument } from './documents.ts'
import type { Harness } from './harness.ts'

export const withClaim = (
  plan: PlanDocument,
  index: number,
  change: (claim: ClaimDocument) => ClaimDocument,
): PlanDocument => ({
  ...plan,
  nodeClaims: plan.nodeClaims.map((claim, each) => (each === index ? change(claim) : claim)),
})

const sorted = (names: readonly string[]): readonly string[] => [...names].sort()

/** Returns the plan without this pod. */
export const without = (plan: PlanDocument, pod: string): PlanDocument => ({
  ...plan,
  nodeClaims: plan.nodeClaims.map((claim) => ({ ...claim, pods: claim.pods.filter((name) => name !== pod) })),
  existingNodes: plan.existingNodes.map((node) => ({ ...node, pods: node.pods.filter((name) => name !== pod) })),
  unschedulable: plan.unschedulable.filter((each) => each.pod !== pod),
})

const onClaim = (plan: PlanDocument, pod: string, index: number): PlanDocument =>
  withClaim(without(plan, pod), index, (claim) => ({ ...claim, pods: sorted([...claim.pods, pod]) }))

export const onNode = (plan: PlanDocument, pod: string, name: string): PlanDocument => {
  const rest = without(plan, pod)
  const node = rest.existingNodes.find((each) => each.name === name) ?? { name, pods: [] }
  const others = rest.existingNodes.filter((each) => each.name !== name)
  return {
    ...rest,
    existingNodes: [...others, { name, pods: sorted([...node.pods, pod]) }].sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

const placed = (plan: PlanDocument): readonly string[] => [
  ...plan.nodeClaims.flatMap(({ pods }) => pods),
  ...plan.existingNodes.flatMap(({ pods }) => pods),
]

/** Yields every plan in which one pod moves to another new node. */
export function* movesToClaims(plan: PlanDocument): Generator<PlanDocument> {
  for (const pod of placed(plan)) {
    for (const [index, claim] of plan.nodeClaims.entries())
      if (!claim.pods.includes(pod)) yield onClaim(plan, pod, index)
  }
}

/** Yields every plan in which one pod moves to an existing node. */
export function* movesToNodes(plan: PlanDocument, harness: Harness): Generator<PlanDocument> {
  for (const pod of placed(plan)) {
    for (const { name } of harness.standing.values()) {
      if (!plan.existingNodes.some((node) => node.name === name && node.pods.includes(pod)))
        yield onNode(plan, pod, name)
    }
  }
}

/** Yields every plan in which an unschedulable pod is placed on a new node. */
export function* hopefuls(plan: PlanDocument): Generator<PlanDocument> {
  for (const { pod } of plan.unschedulable) for (const index of plan.nodeClaims.keys()) yield onClaim(plan, pod, index)
}

/** Yields every plan in which a new node uses another offering of its cheapest instance type, at that offering's price. */
export function* otherOfferings(plan: PlanDocument, harness: Harness): Generator<PlanDocument> {
  for (const [index, claim] of plan.nodeClaims.entries()) {
    const pool = harness.pools.get(claim.nodePool)
    const type = pool === undefined ? undefined : harness.typesOf(pool).get(claim.cheapest.instanceType)
    for (const { zone, capacityType, price } of type?.offerings ?? []) {
      if (zone === claim.cheapest.zone && capacityType === claim.cheapest.capacityType) continue
      const changed = withClaim(plan, index, (each) => ({
        ...each,
        cheapest: { ...each.cheapest, zone, capacityType, price },
      }))
      yield { ...changed, hourlyCost: plan.hourlyCost - claim.cheapest.price + price }
    }
  }
}

/** Yields every plan in which a new node lists one more instance type of the catalogue. */
export function* moreTypes(plan: PlanDocument, harness: Harness): Generator<PlanDocument> {
  for (const [index, claim] of plan.nodeClaims.entries()) {
    const pool = harness.pools.get(claim.nodePool)
    for (const name of pool === undefined ? [] : harness.typesOf(pool).keys()) {
      if (!claim.instanceTypes.includes(name))
        yield withClaim(plan, index, (each) => ({ ...each, instanceTypes: [...each.instanceTypes, name] }))
    }
  }
}

/** Yields every plan in which a new node belongs to another NodePool. */
export function* otherPools(plan: PlanDocument, harness: Harness): Generator<PlanDocument> {
  for (const [index, claim] of plan.nodeClaims.entries()) {
    for (const nodePool of harness.pools.keys())
      if (nodePool !== claim.nodePool) yield withClaim(plan, index, (each) => ({ ...each, nodePool }))
  }
}

/** Yields every plan in which all pods of one new node move to another new node. */
export function* merges(plan: PlanDocument): Generator<PlanDocument> {
  for (const [from, { pods }] of plan.nodeClaims.entries()) {
    for (const to of plan.nodeClaims.keys()) {
      if (from === to) continue
      const merged = pods.reduce((result, pod) => onClaim(result, pod, to), plan)
      yield { ...merged, nodeClaims: merged.nodeClaims.filter((claim) => claim.pods.length > 0) }
    }
  }
}
