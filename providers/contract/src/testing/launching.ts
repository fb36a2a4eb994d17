import {
  conditionSets,
  karpenterKinds,
  labels,
  type Milliseconds,
  type NodeClaim,
  type NodeSelectorRequirement,
  setCondition,
} from '@kerf/apis'
import { textOfThrown, type VirtualClock } from '@kerf/runtime'
import type { CloudProvider, InstanceView } from '../cloud-provider.ts'
import { findError, isInsufficientCapacity, LaunchPendingError } from '../errors.ts'
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

/** A call of `create`, and the provider of the process that makes it. */
export type Launch = readonly [provider: Pick<CloudProvider, 'create' | 'launchTimeout'>, claim: NodeClaim]

/** The interval at which the core repeats a failed launch, and the minimum time for which it does so. */
const AGAIN: Milliseconds = 5_000
const REPEATED_FOR: Milliseconds = 120_000

/** Returns the provider with launches repeated as in the core: after any error that does not end the claim. */
export const repeating = (provider: CloudProvider): Launch[0] => ({
  launchTimeout: Math.max(REPEATED_FOR, provider.launchTimeout ?? 0),
  create: async (claim, signal) => {
    try {
      return await provider.create(claim, signal)
    } catch (error) {
      if (isInsufficientCapacity(error) || findError(error, LaunchPendingError) !== undefined) throw error
      throw new LaunchPendingError(textOfThrown(error), AGAIN)
    }
  },
})

/**
 * Launches each NodeClaim once, concurrently, each with its own provider. Like the core, it repeats `create` while a launch is pending, but
 * at most for the provider's `launchTimeout`. The clock advances only between these repetitions.
 *
 * @throws the error of the first launch that failed; LaunchPendingError if a launch is still pending after that time
 */
export const createWith = async (
  clock: Pick<VirtualClock, 'now' | 'advance'>,
  launches: readonly Launch[],
): Promise<readonly InstanceView[]> => {
  const end = clock.now() + Math.max(0, ...launches.map(([{ launchTimeout = 0 }]) => launchTimeout))
  const views = new Map<number, InstanceView>()
  while (views.size < launches.length) {
    const open = [...launches.entries()].filter(([index]) => !views.has(index))
    const answers = await Promise.allSettled(open.map(([, [provider, claim]]) => provider.create(claim, never)))
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

/** Launches each NodeClaim once, concurrently (see `createWith`). */
export const createAll = (
  { clock, provider }: Pick<ConformanceHarness, 'clock' | 'provider'>,
  claims: readonly NodeClaim[],
): Promise<readonly InstanceView[]> =>
  createWith(
    clock,
    claims.map((claim) => [provider, claim]),
  )

/** Launches the claim (see `createAll`). */
export const create = async (
  harness: Pick<ConformanceHarness, 'clock' | 'provider'>,
  claim: NodeClaim,
): Promise<InstanceView> => {
  const [view] = await createAll(harness, [claim])
  if (view === undefined) throw new Error('a launch without an answer')
  return view
}

/** Launches a new NodeClaim as the core does: calls `create` and writes the result to the claim. */
export const launch = async (
  harness: ConformanceHarness,
  name: string,
  request: ClaimRequest = {},
): Promise<{ readonly claim: NodeClaim; readonly view: InstanceView }> => {
  const claim = await harness.claim(name, request)
  const view = await create(harness, claim)
  return { claim: await record(harness, claim, view), view }
}

/** Writes the result of a launch to the NodeClaim, and waits until the instance has had time to start. */
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

/** Returns the instance type, the zone and the capacity type of the launched offering, read from its labels. */
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
