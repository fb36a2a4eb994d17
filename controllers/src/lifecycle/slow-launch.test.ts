import { findCondition, karpenterKinds } from '@kerf/apis'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createClaim,
  createPendingPod,
  createPoolOfType,
  lifecycle,
  SlowLaunches,
  type SlowLaunchesOptions,
  World,
  type WorldOptions,
} from '../testing/world/index.ts'

// Launches that outlast a call of `create`: `docs/spec/provider-contract.md#slow-launches`.

const minutes = (count: number): number => count * 60_000
const DISRUPTED = 'karpenter_nodeclaims_disrupted_total'

let world: World | undefined
afterEach(() => {
  world?.stop()
  world = undefined
})

const start = async (options: SlowLaunchesOptions, more: WorldOptions) => {
  const slow = new SlowLaunches(options, () => world?.clock.now() ?? 0)
  world = await World.create({ cluster: 'controller-manager', provider: slow.provider, ...more })
  return { slow, w: world }
}
/** Only the controllers of a claim's life run. */
const startLives = async (options: SlowLaunchesOptions, more: WorldOptions = {}) =>
  await start(options, { controllers: lifecycle(), ...more })

describe('a claim whose instance is being made', () => {
  test('waits for twenty minutes as pending, which is no failure, and becomes a node', async () => {
    const { slow, w } = await startLives({ takes: minutes(20) })
    await createClaim(w)
    await w.pass(minutes(19))
    const waiting = await w.readClaim()
    expect(waiting && findCondition(waiting, 'Launched')).toMatchObject({
      status: 'Unknown',
      reason: 'LaunchPending',
      message: 'waiting for machine a to have a name',
    })
    expect(waiting?.status).toMatchObject({ capacity: { cpu: '4' }, allocatable: { cpu: '3900m' } })
    expect(waiting?.status?.providerID).toBeUndefined()
    // Once each half a minute, not later and later.
    expect(slow.asked.length).toBeGreaterThanOrEqual(38)
    expect(slow.asked.length).toBeLessThanOrEqual(39)
    expect(w.log.messages('error')).toEqual([])
    expect(w.log.messages('info').filter((message) => message.includes('pending'))).toHaveLength(1)
    expect(await w.metric('karpenter_cloudprovider_errors_total', { method: 'Create' })).toBe(0)
    await w.pass(minutes(3))
    expect(await w.condition('Initialized')).toBe('True Initialized')
    expect(slow.making).toBe(0)
    expect(await w.metric(DISRUPTED)).toBe(0)
  })

  test('has as long as the provider says, and then gives back what was being made', async () => {
    const { slow, w } = await startLives({ takes: minutes(60), launchTimeout: minutes(30) })
    await createClaim(w)
    await w.pass(minutes(29.9))
    expect(await w.isStaying()).toBe(true)
    expect(slow.making).toBe(1)
    await w.pass(minutes(0.5))
    expect(await w.readClaim()).toBeUndefined()
    expect(await w.metric(DISRUPTED, { reason: 'launch_timeout' })).toBe(1)
    expect(slow.making).toBe(0)
  })

  test('has its fifteen minutes to register from the launch on', async () => {
    const { w } = await startLives({ takes: minutes(20) }, { registrationDelay: '1h' })
    await createClaim(w)
    await w.pass(minutes(34.9))
    expect(await w.condition('Launched')).toBe('True Launched')
    expect(await w.isStaying()).toBe(true)
    await w.pass(minutes(1))
    expect(await w.readClaim()).toBeUndefined()
    expect(await w.metric(DISRUPTED, { reason: 'registration_timeout' })).toBe(1)
  })

  test('is deleted only after the provider has given back what it was making', async () => {
    const { slow, w } = await startLives({ takes: minutes(20) })
    const claim = await createClaim(w)
    await w.pass(minutes(2))
    await w.delete(karpenterKinds.NodeClaim, claim)
    await w.pass(6_000)
    expect(slow.making).toBe(0)
    expect(await w.readClaim()).toBeUndefined()
    // It is asked until it says that it holds nothing any more.
    expect(slow.givenBack).toEqual(['a', 'a'])
    expect(await w.metrics.text()).toMatch(/instance_termination_duration_seconds_count\{.*\} 1/)
    await w.pass(minutes(30))
    expect(await w.nodes()).toEqual([])
  })

  test('gives back what a process began that ended before the claim showed it', async () => {
    const { slow, w } = await startLives({ takes: minutes(20) })
    w.fault = ({ verb, subresource }, when) =>
      verb === 'patch' && subresource === 'status' && when === 'before' ? 'crash' : undefined
    const claim = await createClaim(w)
    await w.pass(minutes(1))
    expect([w.isRunning, slow.making]).toEqual([false, 1])
    expect(await w.condition('Launched')).toBeUndefined()
    w.fault = undefined
    await w.delete(karpenterKinds.NodeClaim, claim)
    w.start()
    await w.pass(6_000)
    expect(await w.readClaim()).toBeUndefined()
    expect(slow.making).toBe(0)
  })

  test('that nothing was made for is deleted at once, and no instance is said to have ended', async () => {
    const { slow, w } = await startLives({ takes: minutes(20) })
    w.kill()
    const claim = await createClaim(w, 'a', { metadata: { finalizers: ['karpenter.sh/termination'] } })
    await w.delete(karpenterKinds.NodeClaim, claim)
    w.start()
    await w.pass(100)
    expect(await w.readClaim()).toBeUndefined()
    expect(slow.givenBack).toEqual(['a'])
    expect(await w.metric('karpenter_nodeclaims_terminated_total')).toBe(1)
    expect(await w.metrics.text()).not.toContain('karpenter_nodeclaims_instance_termination_duration_seconds_count{')
  })
})

describe('while an instance is being made', () => {
  const startAll = async (options: SlowLaunchesOptions) => {
    const { slow, w } = await start(options, {})
    await createPoolOfType(w, 's-4x-amd64-linux')
    await createPendingPod(w, 'first', { requests: { cpu: '1' } })
    await w.pass(minutes(1))
    expect(await w.claims()).toHaveLength(1)
    return { slow, w }
  }

  test('pods are planned for it and for others: the cluster does not wait', async () => {
    const { slow, w } = await startAll({ takes: minutes(20) })
    await createPendingPod(w, 'second', { requests: { cpu: '2' } })
    await w.pass(minutes(1))
    expect(await w.claims()).toHaveLength(1)
    await createPendingPod(w, 'third', { requests: { cpu: '2' } })
    await w.pass(minutes(1))
    expect(await w.claims()).toHaveLength(2)
    expect(await w.metric('karpenter_cluster_state_synced')).toBe(1)
    // The next process knows it from the claims.
    w.restart()
    await w.pass(minutes(16))
    expect(await w.claims()).toHaveLength(2)
    await w.pass(minutes(10))
    expect([(await w.nodes()).length, slow.making]).toEqual([2, 0])
    const ids = (await w.claims()).map(({ status }) => status?.providerID)
    expect([...w.kerf.state.nodes()].map(({ providerID }) => providerID).toSorted()).toEqual(ids.toSorted())
  })

  test('of which nobody knows what it will be, nothing else is planned', async () => {
    const { w } = await startAll({ takes: minutes(20), saysWhatComes: false })
    await createPendingPod(w, 'second', { requests: { cpu: '3500m' } })
    await w.pass(minutes(15))
    expect(await w.claims()).toHaveLength(1)
    expect([...w.kerf.state.unlaunched]).toHaveLength(1)
    await w.pass(minutes(6))
    expect(await w.claims()).toHaveLength(2)
  })
})
