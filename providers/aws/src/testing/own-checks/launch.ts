import { conditionSets, karpenterKinds, type NodeClaim, setCondition } from '@kerf/apis'
import type { InstanceView } from '@kerf/provider-contract'
import type { ConformanceHarness } from '@kerf/provider-contract/conformance'
import { never } from '../aws-harness.ts'

export const minutes = (count: number): number => count * 60_000

/** Returns the rejection reason of the promise. */
export const expectRejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a failure')
}

/** Launches as the core does: calls `create`, then writes the result into the NodeClaim. */
export const launch = async (
  harness: ConformanceHarness,
  name: string,
  request: Parameters<ConformanceHarness['claim']>[1] = {},
): Promise<{ readonly claim: NodeClaim; readonly view: InstanceView }> => {
  const claim = await harness.claim(name, request)
  const view = await harness.provider.create(claim, never)
  const ref = { name }
  const metadata = { labels: view.labels, annotations: view.annotations }
  await harness.client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body: { metadata } })
  const { providerID, imageID, capacity, allocatable } = view
  const conditions = setCondition(
    conditionSets.NodeClaim,
    claim,
    { type: 'Launched', status: 'True' },
    harness.clock.now(),
  )
  const body = { status: { providerID, imageID, capacity, allocatable, conditions } }
  const stored = await harness.client.patch(
    karpenterKinds.NodeClaim,
    ref,
    { type: 'merge', body },
    { subresource: 'status' },
  )
  await harness.clock.advance(1_000)
  return { claim: stored, view }
}
