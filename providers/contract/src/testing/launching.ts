import {
  conditionSets,
  karpenterKinds,
  labels,
  type NodeClaim,
  type NodeSelectorRequirement,
  setCondition,
} from '@kerf/apis'
import type { InstanceView } from '../cloud-provider.ts'
import type { ClaimRequest, ConformanceWorld } from './conformance-driver.ts'

export const never = new AbortController().signal

export const needs = (key: string, ...values: readonly string[]): NodeSelectorRequirement => ({
  key,
  operator: 'In',
  values,
})

/** The instance types that the pool is offered. */
export const types = (world: ConformanceWorld) => world.provider.instanceTypes(world.pool(), never)

/** Provider IDs of the instances that the fake cloud has. */
export const instances = async (world: ConformanceWorld) =>
  (await world.cloud.instances()).map(({ providerID }) => providerID)

/** Launches a new claim as the core does: it calls `create` and writes the result into the claim. */
export const launch = async (
  world: ConformanceWorld,
  name: string,
  request: ClaimRequest = {},
): Promise<{ readonly claim: NodeClaim; readonly view: InstanceView }> => {
  const claim = await world.claim(name, request)
  const view = await world.provider.create(claim, never)
  return { claim: await record(world, claim, view), view }
}

/** Writes the result of a launch into the claim, and gives the instance time to start. */
export const record = async (world: ConformanceWorld, claim: NodeClaim, view: InstanceView): Promise<NodeClaim> => {
  const ref = { name: claim.metadata.name }
  await world.client.patch(karpenterKinds.NodeClaim, ref, {
    type: 'merge',
    body: {
      metadata: {
        labels: { ...view.labels, ...claim.metadata.labels },
        annotations: { ...claim.metadata.annotations, ...view.annotations },
      },
    },
  })
  const launched = { type: 'Launched', status: 'True' } as const
  const { providerID, imageID, capacity, allocatable } = view
  const status = {
    providerID,
    ...(imageID === undefined ? {} : { imageID }),
    capacity,
    allocatable,
    conditions: setCondition(conditionSets.NodeClaim, claim, launched, world.clock.now()),
  }
  const stored = await world.client.patch(
    karpenterKinds.NodeClaim,
    ref,
    { type: 'merge', body: { status } },
    { subresource: 'status' },
  )
  await world.clock.advance(2_000)
  return stored
}

/** The labels that say what was bought. */
export const bought = (view: InstanceView): Readonly<Record<'type' | 'zone' | 'capacityType', string>> => ({
  type: view.labels[labels.instanceType] ?? '',
  zone: view.labels[labels.zone] ?? '',
  capacityType: view.labels[labels.capacityType] ?? '',
})

/** What the promise was rejected with. */
export const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a failure')
}
