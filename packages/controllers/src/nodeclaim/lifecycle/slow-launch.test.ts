import { findCondition, karpenterKinds } from '@kerf/apis'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createClaim,
  createPendingPod,
  createPoolOfType,
  Harness,
  type HarnessOptions,
  lifecycle,
  SlowLaunches,
  type SlowLaunchesOptions,
} from '../../testing/harness/index.ts'

// Tests of launches that take longer than one call of `create` (`docs/spec/provider-contract.md#slow-launches`).

const minutes = (count: number): number => count * 60_000
const DISRUPTED = 'karpenter_nodeclaims_disrupted_total'

let harness: Harness | undefined
afterEach(() => {
  harness?.stop()
  harness = undefined
})

const start = async (options: SlowLaunchesOptions, more: HarnessOptions) => {
  const slow = new SlowLaunches(options, () => harness?.clock.now() ?? 0)
  harness = await Harness.create({ cluster: 'controller-manager', provider: slow.provider, ...more })
  return { slow, w: harness }
}
/** Starts a cluster with only the lifecycle controllers. */
const startLives = async (options: SlowLaunchesOptions, more: HarnessOptions = {}) =>
  await start(options, { controllers: lifecycle(), ...more })

describe('a claim whose launch takes long', () => {
  test('stays pending for twenty minutes without a failure, and then gets a node', async () => {
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
    // Kerf asks the provider every 30 seconds. This interval does not grow.
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

  test('is given up after the launch timeout of the provider, and then the provider cancels the launch', async () => {
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

  test('has fifteen minutes after the launch to register', async () => {
    const { w } = await startLives({ takes: minutes(20) }, { registrationDelay: '1h' })
    await createClaim(w)
    await w.pass(minutes(34.9))
    expect(await w.condition('Launched')).toBe('True Launched')
    expect(await w.isStaying()).toBe(true)
    await w.pass(minutes(1))
    expect(await w.readClaim()).toBeUndefined()
    expect(await w.metric(DISRUPTED, { reason: 'registration_timeout' })).toBe(1)
  })

  test('is deleted only after the provider has cancelled the launch', async () => {
    const { slow, w } = await startLives({ takes: minutes(20) })
    const claim = await createClaim(w)
    await w.pass(minutes(2))
    await w.delete(karpenterKinds.NodeClaim, claim)
    await w.pass(6_000)
    expect(slow.making).toBe(0)
    expect(await w.readClaim()).toBeUndefined()
    // Kerf repeats the call until the provider reports that there is nothing left to cancel.
    expect(slow.givenBack).toEqual(['a', 'a'])
    expect(await w.metrics.text()).toMatch(/instance_termination_duration_seconds_count\{.*\} 1/)
    await w.pass(minutes(30))
    expect(await w.nodes()).toEqual([])
  })

  test('cancels a launch that an earlier process started and did not write to the claim', async () => {
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

  test('is deleted at once if no launch was started, and no instance termination is recorded', async () => {
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

describe('during a launch that takes long', () => {
  const startAll = async (options: SlowLaunchesOptions) => {
    const { slow, w } = await start(options, {})
    await createPoolOfType(w, 's-4x-amd64-linux')
    await createPendingPod(w, 'first', { requests: { cpu: '1' } })
    await w.pass(minutes(1))
    expect(await w.claims()).toHaveLength(1)
    return { slow, w }
  }

  test('pods are planned for the coming instance and for other nodes, because the cluster state counts as complete', async () => {
    const { slow, w } = await startAll({ takes: minutes(20) })
    await createPendingPod(w, 'second', { requests: { cpu: '2' } })
    await w.pass(minutes(1))
    expect(await w.claims()).toHaveLength(1)
    await createPendingPod(w, 'third', { requests: { cpu: '2' } })
    await w.pass(minutes(1))
    expect(await w.claims()).toHaveLength(2)
    expect(await w.metric('karpenter_cluster_state_synced')).toBe(1)
    // A new process finds the instance in the claims.
    w.restart()
    await w.pass(minutes(16))
    expect(await w.claims()).toHaveLength(2)
    await w.pass(minutes(10))
    expect([(await w.nodes()).length, slow.making]).toEqual([2, 0])
    const ids = (await w.claims()).map(({ status }) => status?.providerID)
    expect([...w.kerf.state.nodes()].map(({ providerID }) => providerID).toSorted()).toEqual(ids.toSorted())
  })

  test('no pods are planned if the properties of the coming instance are unknown', async () => {
    const { w } = await startAll({ takes: minutes(20), saysWhatComes: false })
    await createPendingPod(w, 'second', { requests: { cpu: '3500m' } })
    await w.pass(minutes(15))
    expect(await w.claims()).toHaveLength(1)
    expect([...w.kerf.state.unlaunched]).toHaveLength(1)
    await w.pass(minutes(6))
    expect(await w.claims()).toHaveLength(2)
  })
})
