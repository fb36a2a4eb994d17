import { finalizers, karpenterKinds } from '@kerf/apis'
import { afterEach, expect, test } from 'vitest'
import { createClaimOfPool, createPendingPods, createPoolOfType, World } from '../../testing/world/index.ts'

let world: World
afterEach(() => world.stop())

test('a claim is created with its finalizer, and written twice until its instance is launched', async () => {
  world = await World.create({ registrationDelay: '10s' })
  await createPoolOfType(world, 's-8x-amd64-linux')
  await world.pass(5_000)
  const writes: string[] = []
  world.fault = ({ verb, kind, subresource }, when) => {
    if (when === 'before' && kind?.kind === karpenterKinds.NodeClaim.kind && (verb === 'create' || verb === 'patch'))
      writes.push(`${verb} ${subresource ?? 'object'}`)
    return undefined
  }
  await createPendingPods(world, 3, { requests: { cpu: '500m' } })
  await world.pass(5_000)
  const [claim, ...others] = await world.claims()
  expect(others).toEqual([])
  expect(claim?.metadata.finalizers).toEqual([finalizers.termination])
  expect(claim?.status?.providerID).toMatch(/^kwok:/)
  // Two writes: the provider ID, and the condition that it is launched.
  expect(writes).toEqual(['create object', 'patch object', 'patch status'])
})

test('a claim that is deleted before its first pass is removed, and nothing is launched for it', async () => {
  world = await World.create()
  await createPoolOfType(world, 's-8x-amd64-linux')
  await world.pass(5_000)
  world.kill()
  const name = await createClaimOfPool(world)
  await world.admin.delete(karpenterKinds.NodeClaim, { name })
  expect(await world.claims()).toHaveLength(1)
  world.start()
  await world.pass(5_000)
  expect(await world.claims()).toEqual([])
  await world.pass(60_000)
  expect(await world.nodes()).toEqual([])
})
