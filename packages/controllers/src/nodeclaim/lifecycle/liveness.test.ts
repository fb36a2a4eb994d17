import { findCondition, karpenterKinds, type NodeClaim } from '@kerf/apis'
import { CreateError } from '@kerf/provider-contract'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import {
  alteredProvider,
  createClaim,
  createInitializedClaim,
  lifecycle,
  lifecycleWorld,
  type World,
} from '../../testing/world/index.ts'

const minutes = (count: number): number => count * 60_000

describe('liveness', () => {
  test('a claim that does not launch is deleted five minutes after its creation, whatever the error', async () => {
    const world = await lifecycleWorld({
      provider: (kwok) => alteredProvider(kwok, { create: () => Promise.reject(new Error(`failure ${world.calls}`)) }),
    })
    await createClaim(world)
    await world.pass(minutes(1))
    expect(await world.readClaim()).toBeDefined()
    await world.pass(minutes(3.9))
    expect(await world.readClaim()).toBeDefined()
    await world.pass(minutes(0.3))
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.metric('karpenter_nodeclaims_disrupted_total', { reason: 'launch_timeout' })).toBe(1)
  })

  test('a claim that does not register is deleted fifteen minutes after its creation', async () => {
    const world = await lifecycleWorld({ registrationDelay: '1h' })
    await createClaim(world)
    await world.pass(minutes(14.9))
    expect(await world.readClaim()).toBeDefined()
    await world.pass(minutes(0.3))
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.metric('karpenter_nodeclaims_disrupted_total', { reason: 'registration_timeout' })).toBe(1)
    await world.pass(minutes(60))
    expect(await world.nodes()).toEqual([])
  })

  test.each([
    ['Launched', 5],
    ['Registered', 15],
  ] as const)('the timeout counts from the last change of %s, not from creation', async (type, allowed) => {
    const isLaunching = type === 'Launched'
    const world = await lifecycleWorld({
      registrationDelay: '2h',
      ...(isLaunching
        ? { provider: (kwok) => alteredProvider(kwok, { create: () => Promise.reject(new Error('not yet')) }) }
        : {}),
    })
    await createClaim(world)
    await world.pass(minutes(4))
    const claim = (await world.readClaim()) as NodeClaim
    const lastTransitionTime = new Date(world.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
    const conditions = (claim.status?.conditions ?? []).map((each) =>
      each.type === type ? { ...each, lastTransitionTime } : each,
    )
    await world.patch(karpenterKinds.NodeClaim, claim, { status: { conditions } }, 'status')
    await world.pass(minutes(allowed - 0.1))
    expect(await world.isStaying()).toBe(true)
    await world.pass(minutes(0.3))
    expect(await world.readClaim()).toBeUndefined()
  })

  test('a registered claim has no timeout', async () => {
    const world = await lifecycleWorld({ kwok: { nodeReadyDelay: minutes(120) } })
    await createClaim(world)
    await world.pass(minutes(60))
    expect(await world.condition('Registered')).toBe('True Registered')
    expect(await world.condition('Initialized')).toBe('Unknown NodeNotReady')
  })

  test('the timeouts are configurable', async () => {
    const world = await lifecycleWorld({
      registrationDelay: '1h',
      controllers: lifecycle({ registration: minutes(2) }),
    })
    await createClaim(world)
    await world.pass(minutes(2.2))
    expect(await world.readClaim()).toBeUndefined()
  })
})

describe('registration health of the pool', () => {
  const pool = async (world: World) => await world.admin.create(karpenterKinds.NodePool, nodePool('default'))
  const ownedBy = (uid: string | undefined) => ({
    metadata: {
      ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'default', uid: uid ?? '' }],
    },
  })
  const health = async (world: World): Promise<string | undefined> => {
    const found = findCondition((await world.read(karpenterKinds.NodePool, 'default')) ?? {}, 'NodeRegistrationHealthy')
    return found === undefined ? undefined : `${found.status} ${found.reason}`
  }

  test('a registration makes the pool healthy', async () => {
    const world = await lifecycleWorld()
    const { metadata } = await pool(world)
    await createInitializedClaim(world, 'a', ownedBy(metadata.uid))
    expect(await health(world)).toBe('True NodeRegistrationHealthy')
  })

  test('two timeouts make it unhealthy with the cause of the last; one registration is then not enough', async () => {
    const world = await lifecycleWorld({ registrationDelay: '1h' })
    const { metadata } = await pool(world)
    await world.pass(100)
    for (const name of ['a', 'b']) await createClaim(world, name, ownedBy(metadata.uid))
    await world.pass(minutes(15.2))
    expect(await health(world)).toBe('False RegistrationFailed')
    await world.patch(kwokNodeClassKind, { metadata: { name: 'default' } } as never, {
      spec: { nodeRegistrationDelay: null },
    })
    await world.pass(100)
    await createInitializedClaim(world, 'c', ownedBy(metadata.uid))
    expect(await health(world)).toBe('False RegistrationFailed')
    // Of the last four outcomes, at most one may be a failure.
    await createInitializedClaim(world, 'd', ownedBy(metadata.uid))
    expect(await health(world)).toBe('False RegistrationFailed')
    await createInitializedClaim(world, 'e', ownedBy(metadata.uid))
    expect(await health(world)).toBe('True NodeRegistrationHealthy')
  })

  test('two timeouts make a healthy pool unhealthy', async () => {
    const world = await lifecycleWorld()
    const { metadata } = await pool(world)
    await createInitializedClaim(world, 'a', ownedBy(metadata.uid))
    await world.patch(kwokNodeClassKind, { metadata: { name: 'default' } } as never, {
      spec: { nodeRegistrationDelay: '1h' },
    })
    await world.pass(100)
    for (const name of ['b', 'c']) await createClaim(world, name, ownedBy(metadata.uid))
    await world.pass(minutes(14.9))
    expect(await health(world)).toBe('True NodeRegistrationHealthy')
    await world.pass(minutes(0.3))
    expect(await health(world)).toBe('False RegistrationFailed')
  })

  test('failed launches report their cause', async () => {
    const world = await lifecycleWorld({
      provider: (kwok) =>
        alteredProvider(kwok, { create: () => Promise.reject(new CreateError('QuotaExceeded', 'no quota')) }),
    })
    const { metadata } = await pool(world)
    await world.pass(100)
    for (const name of ['a', 'b']) await createClaim(world, name, ownedBy(metadata.uid))
    await world.pass(minutes(5.5))
    expect(await health(world)).toBe('False QuotaExceeded')
  })

  test('a claim whose pool is deleted, or is not its owner, changes no pool', async () => {
    const world = await lifecycleWorld()
    await createInitializedClaim(world, 'early')
    await pool(world)
    await createInitializedClaim(world, 'standalone')
    expect(await health(world)).toBeUndefined()
  })
})
