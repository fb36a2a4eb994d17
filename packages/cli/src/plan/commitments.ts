import type { KubeObject, Milliseconds } from '@kerf/apis'
import {
  type CommitmentSpec,
  type CommitmentUse,
  commitmentSpecs,
  commitmentUse,
  readDiscounts,
  readPrepaid,
} from '@kerf/controllers'
import type { InstanceType, NodeState } from '@kerf/engine'
import { DeclaredPrices, type PriceDiscount } from '@kerf/provider-contract'
import { isClusterPolicy, type PlannedPrices } from './price-book.ts'

/** The commitments of a cluster that is read once. */
export interface PlannedCommitments {
  readonly specs: readonly CommitmentSpec[]
  /** The prepaid commitments and the nodes that use them. */
  readonly uses: readonly CommitmentUse[]
}

/** Returns the commitments of the ClusterPolicy among the objects. */
export const commitmentSpecsIn = (objects: readonly KubeObject[]): readonly CommitmentSpec[] =>
  commitmentSpecs(objects.findLast(isClusterPolicy))

/** Returns the discounts of the ClusterPolicy among the objects. */
export const discountsIn = (objects: readonly KubeObject[]): readonly PriceDiscount[] =>
  readDiscounts(commitmentSpecsIn(objects))

/** Returns a function that applies the price book and the discounts of a cluster to instance types. */
export const pricing = (
  book: PlannedPrices | undefined,
  discounts: readonly PriceDiscount[],
): ((types: readonly InstanceType[]) => readonly InstanceType[]) => {
  if (book !== undefined) return (types) => book.apply(types)
  const store = new DeclaredPrices()
  if (discounts.length > 0) store.replaceDiscounts(discounts)
  return (types) => store.apply(types)
}

/** Returns the commitments and their use, by the same rules as the controllers; undefined if there are none. */
export const plannedUse = (
  objects: readonly KubeObject[],
  nodes: readonly NodeState[],
  unlaunched: Parameters<typeof commitmentUse>[2],
  now: Milliseconds,
): PlannedCommitments | undefined => {
  const specs = commitmentSpecsIn(objects)
  return specs.length === 0 ? undefined : { specs, uses: commitmentUse(readPrepaid(specs, now), nodes, unlaunched) }
}
