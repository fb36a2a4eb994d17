import {
  conditionSets,
  karpenterKinds,
  labels,
  type Milliseconds,
  type NodeClaim,
  type NodeSelectorRequirement,
  setCondition,
} from '@kerf/apis'
import type { InstanceView } from '../cloud-provider.ts'
import { findError, LaunchPendingError } from '../errors.ts'
import type { ClaimRequest, ConformanceHarness } from './conformance-driver.ts'

export const never = new AbortController().signal

export const needs = (key: string, ...values: readonly string[]): NodeSelectorRequirement => ({
  key,
  operator: 'In',
  values,
})

/** Returns the instance types of the harness's NodePool. */
export const types = (harness: ConformanceHarness) => harness.provider.instanceTypes(harness.pool(), never)

/** Returns the provider IDs of the instances in the fake cloud. */
export const instances = async (harness: ConformanceHarness) =>
  (await harness.cloud.instances()).map(({ providerID }) => providerID)

/**
 * Launches each NodeClaim once, concurrently. Like the core, it repeats `create` while a launch is pending, for at most the provider's
 * `launchTimeout`. The clock advances only between these repetitions.
 *
 * @throws the error of the first launch that failed; LaunchPendingError if a launch is still pending after that time
 */
export const createAll = async (
  { clock, provider }: ConformanceHarness,
  claims: readonly NodeClaim[],
): Promise<readonly InstanceView[]> => {
  const end = clock.now() + (provider.launchTimeout ?? 0)
  const views = new Map<number, InstanceView>()
  while (views.size < claims.length) {
    const open = [...claims.entries()].filter(([index]) => !views.has(index))
    const answers = await Promise.allSettled(open.map(([, claim]) => provider.create(claim, never)))
    const waits: Milliseconds[] = []
    for (const [position, [index]] of open.entries()) {
      const answer = answers[position]
      if (answer?.status === 'fulfilled') views.set(index, answer.value)
      else {
        const pending = findError(answer?.reason, LaunchPendingError)
        if (pending === undefined || clock.now() >= end) throw answer?.reason
        waits.push(pending.retryAfter)
      }
    }
    if (waits.length > 0) await clock.advance(Math.min(...waits))
  }
  return [...views].toSorted(([a], [b]) => a - b).map(([, view]) => view)
}

/** Launches the claim; see `createAll`. */
export const create = async (harness: ConformanceHarness, claim: NodeClaim): Promise<InstanceView> => {
  const [view] = await createAll(harness, [claim])
  if (view === undefined) throw new Error('a launch without an answer')
  return view
}

/** Launches a new NodeClaim in the same way as the core: calls `create` and writes the result into the claim. */
export const launch = async (
  harness: ConformanceHarness,
  name: string,
  request: ClaimRequest = {},
): Promise<{ readonly claim: NodeClaim; readonly view: InstanceView }> => {
  const claim = await harness.claim(name, request)
  const view = await create(harness, claim)
  return { claim: await record(harness, claim, view), view }
}

/** Writes the result of a launch into the NodeClaim, and waits until the instance has had time to start. */
export const record = async (harness: ConformanceHarness, claim: NodeClaim, view: InstanceView): Promise<NodeClaim> => {
  const ref = { name: claim.metadata.name }
  await harness.client.patch(karpenterKinds.NodeClaim, ref, {
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
    conditions: setCondition(conditionSets.NodeClaim, claim, launched, harness.clock.now()),
  }
  const stored = await harness.client.patch(
    karpenterKinds.NodeClaim,
    ref,
    { type: 'merge', body: { status } },
    { subresource: 'status' },
  )
  await harness.clock.advance(2_000)
  return stored
}

/** Returns the type, the zone and the capacity type of the launched offering, from its labels. */
export const bought = (view: InstanceView): Readonly<Record<'type' | 'zone' | 'capacityType', string>> => ({
  type: view.labels[labels.instanceType] ?? '',
  zone: view.labels[labels.zone] ?? '',
  capacityType: view.labels[labels.capacityType] ?? '',
})

/** Returns the reason with which the promise is rejected. */
export const expectRejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a failure')
}
