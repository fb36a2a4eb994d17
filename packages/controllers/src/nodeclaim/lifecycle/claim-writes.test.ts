import { finalizers, karpenterKinds } from '@kerf/apis'
import { afterEach, expect, test } from 'vitest'
import { createClaimOfPool, createPendingPods, createPoolOfType, Harness } from '../../testing/harness/index.ts'

let harness: Harness
afterEach(() => harness.stop())

test('a claim is created with its finalizer, and needs two writes until its instance is launched', async () => {
  harness = await Harness.create({ registrationDelay: '10s' })
  await createPoolOfType(harness, 's-8x-amd64-linux')
  await harness.pass(5_000)
  const writes: string[] = []
  harness.fault = ({ verb, kind, subresource }, when) => {
    if (when === 'before' && kind?.kind === karpenterKinds.NodeClaim.kind && (verb === 'create' || verb === 'patch'))
      writes.push(`${verb} ${subresource ?? 'object'}`)
    return undefined
  }
  await createPendingPods(harness, 3, { requests: { cpu: '500m' } })
  await harness.pass(5_000)
  const [claim, ...others] = await harness.claims()
  expect(others).toEqual([])
  expect(claim?.metadata.finalizers).toEqual([finalizers.termination])
  expect(claim?.status?.providerID).toMatch(/^kwok:/)
  // The second write contains the provider ID. The third write contains the Launched condition.
  expect(writes).toEqual(['create object', 'patch object', 'patch status'])
})

test('a claim that is deleted before its first pass is removed, and nothing is launched for it', async () => {
  harness = await Harness.create()
  await createPoolOfType(harness, 's-8x-amd64-linux')
  await harness.pass(5_000)
  harness.kill()
  const name = await createClaimOfPool(harness)
  await harness.admin.delete(karpenterKinds.NodeClaim, { name })
  expect(await harness.claims()).toHaveLength(1)
  harness.start()
  await harness.pass(5_000)
  expect(await harness.claims()).toEqual([])
  await harness.pass(60_000)
  expect(await harness.nodes()).toEqual([])
})
