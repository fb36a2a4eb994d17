import { findCondition, karpenterKinds, type NodeClaim } from '@kerf/apis'
import { CreateError } from '@kerf/provider-contract'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import {
  alteredProvider,
  createClaim,
  createInitializedClaim,
  type Harness,
  lifecycle,
  lifecycleHarness,
} from '../../testing/harness/index.ts'

const minutes = (count: number): number => count * 60_000

describe('liveness', () => {
  test('a claim that does not launch is deleted five minutes after its creation, whatever the error', async () => {
    const harness = await lifecycleHarness({
      provider: (kwok) =>
        alteredProvider(kwok, { create: () => Promise.reject(new Error(`failure ${harness.calls}`)) }),
    })
    await createClaim(harness)
    await harness.pass(minutes(1))
    expect(await harness.readClaim()).toBeDefined()
    await harness.pass(minutes(3.9))
    expect(await harness.readClaim()).toBeDefined()
    await harness.pass(minutes(0.3))
    expect(await harness.readClaim()).toBeUndefined()
    expect(await harness.metric('karpenter_nodeclaims_disrupted_total', { reason: 'launch_timeout' })).toBe(1)
  })

  test('a claim that does not register is deleted fifteen minutes after its creation', async () => {
    const harness = await lifecycleHarness({ registrationDelay: '1h' })
    await createClaim(harness)
    await harness.pass(minutes(14.9))
    expect(await harness.readClaim()).toBeDefined()
    await harness.pass(minutes(0.3))
    expect(await harness.readClaim()).toBeUndefined()
    expect(await harness.metric('karpenter_nodeclaims_disrupted_total', { reason: 'registration_timeout' })).toBe(1)
    await harness.pass(minutes(60))
    expect(await harness.nodes()).toEqual([])
  })

  test.each([
    ['Launched', 5],
    ['Registered', 15],
  ] as const)('the timeout counts from the last change of %s, not from creation', async (type, allowed) => {
    const isLaunching = type === 'Launched'
    const harness = await lifecycleHarness({
      registrationDelay: '2h',
      ...(isLaunching
        ? { provider: (kwok) => alteredProvider(kwok, { create: () => Promise.reject(new Error('not yet')) }) }
        : {}),
    })
    await createClaim(harness)
    await harness.pass(minutes(4))
    const claim = (await harness.readClaim()) as NodeClaim
    const lastTransitionTime = new Date(harness.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
    const conditions = (claim.status?.conditions ?? []).map((each) =>
      each.type === type ? { ...each, lastTransitionTime } : each,
    )
    await harness.patch(karpenterKinds.NodeClaim, claim, { status: { conditions } }, 'status')
    await harness.pass(minutes(allowed - 0.1))
    expect(await harness.isStaying()).toBe(true)
    await harness.pass(minutes(0.3))
    expect(await harness.readClaim()).toBeUndefined()
  })

  test('a registered claim has no timeout', async () => {
    const harness = await lifecycleHarness({ kwok: { nodeReadyDelay: minutes(120) } })
    await createClaim(harness)
    await harness.pass(minutes(60))
    expect(await harness.condition('Registered')).toBe('True Registered')
    expect(await harness.condition('Initialized')).toBe('Unknown NodeNotReady')
  })

  test('the timeouts are configurable', async () => {
    const harness = await lifecycleHarness({
      registrationDelay: '1h',
      controllers: lifecycle({ registration: minutes(2) }),
    })
    await createClaim(harness)
    await harness.pass(minutes(2.2))
    expect(await harness.readClaim()).toBeUndefined()
  })
})

describe('the registration health of the pool', () => {
  const pool = async (harness: Harness) => await harness.admin.create(karpenterKinds.NodePool, nodePool('default'))
  const ownedBy = (uid: string | undefined) => ({
    metadata: {
      ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'default', uid: uid ?? '' }],
    },
  })
  const health = async (harness: Harness): Promise<string | undefined> => {
    const found = findCondition(
      (await harness.read(karpenterKinds.NodePool, 'default')) ?? {},
      'NodeRegistrationHealthy',
    )
    return found === undefined ? undefined : `${found.status} ${found.reason}`
  }

  test('becomes healthy after a successful registration', async () => {
    const harness = await lifecycleHarness()
    const { metadata } = await pool(harness)
    await createInitializedClaim(harness, 'a', ownedBy(metadata.uid))
    expect(await health(harness)).toBe('True NodeRegistrationHealthy')
  })

  test('becomes unhealthy after two timeouts, with the cause of the last; one successful registration does not change that', async () => {
    const harness = await lifecycleHarness({ registrationDelay: '1h' })
    const { metadata } = await pool(harness)
    await harness.pass(100)
    for (const name of ['a', 'b']) await createClaim(harness, name, ownedBy(metadata.uid))
    await harness.pass(minutes(15.2))
    expect(await health(harness)).toBe('False RegistrationFailed')
    await harness.patch(kwokNodeClassKind, { metadata: { name: 'default' } } as never, {
      spec: { nodeRegistrationDelay: null },
    })
    await harness.pass(100)
    await createInitializedClaim(harness, 'c', ownedBy(metadata.uid))
    expect(await health(harness)).toBe('False RegistrationFailed')
    // The condition is True only if at most one of the last four launches failed.
    await createInitializedClaim(harness, 'd', ownedBy(metadata.uid))
    expect(await health(harness)).toBe('False RegistrationFailed')
    await createInitializedClaim(harness, 'e', ownedBy(metadata.uid))
    expect(await health(harness)).toBe('True NodeRegistrationHealthy')
  })

  test('changes from healthy to unhealthy after two timeouts', async () => {
    const harness = await lifecycleHarness()
    const { metadata } = await pool(harness)
    await createInitializedClaim(harness, 'a', ownedBy(metadata.uid))
    await harness.patch(kwokNodeClassKind, { metadata: { name: 'default' } } as never, {
      spec: { nodeRegistrationDelay: '1h' },
    })
    await harness.pass(100)
    for (const name of ['b', 'c']) await createClaim(harness, name, ownedBy(metadata.uid))
    await harness.pass(minutes(14.9))
    expect(await health(harness)).toBe('True NodeRegistrationHealthy')
    await harness.pass(minutes(0.3))
    expect(await health(harness)).toBe('False RegistrationFailed')
  })

  test('contains the cause of failed launches', async () => {
    const harness = await lifecycleHarness({
      provider: (kwok) =>
        alteredProvider(kwok, { create: () => Promise.reject(new CreateError('QuotaExceeded', 'no quota')) }),
    })
    const { metadata } = await pool(harness)
    await harness.pass(100)
    for (const name of ['a', 'b']) await createClaim(harness, name, ownedBy(metadata.uid))
    await harness.pass(minutes(5.5))
    expect(await health(harness)).toBe('False QuotaExceeded')
  })

  test('is not changed by a claim whose pool is deleted or is not its owner', async () => {
    const harness = await lifecycleHarness()
    await createInitializedClaim(harness, 'early')
    await pool(harness)
    await createInitializedClaim(harness, 'standalone')
    expect(await health(harness)).toBeUndefined()
  })
})
