import { karpenterKinds, kinds, policyKinds } from '@kerf/apis'
import { SkewedClock } from '@kerf/runtime/testing'
import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { createPool, Harness, type HarnessOptions } from '../testing/harness/index.ts'

const minutes = (count: number): number => count * 60_000

/** Starts a complete cluster with a pool. Kerf's clock is `ahead` milliseconds ahead of the API server's clock. */
const skewedHarness = async (ahead: number, options: HarnessOptions = {}) => {
  const own: SkewedClock[] = []
  const harness = await Harness.create({
    cluster: 'whole',
    ...options,
    ownClock: (clock) => {
      const skewed = new SkewedClock(clock, ahead)
      own.push(skewed)
      return skewed
    },
  })
  await createPool(harness)
  await harness.pass(2_000)
  const jump = (to: number): void => {
    for (const clock of own) clock.ahead = to
  }
  return { harness, jump }
}

const { status: _, ...anyPod } = pod('a')
const launches = ({ log }: Harness): number =>
  log.messages('info').filter((line) => line === 'launched nodeclaim').length
const harnessPhase = async ({ admin }: Harness, name = 'a'): Promise<string | undefined> =>
  (await admin.get(kinds.Pod, { name, namespace: 'default' })).status?.phase

describe('a controller with a wrong clock', () => {
  test.each([minutes(16), minutes(-16), minutes(59)])(
    'launches each node once, keeps it, and reports the difference: %d ms',
    async (ahead) => {
      const { harness } = await skewedHarness(ahead)
      await harness.put(kinds.Pod, anyPod)
      await harness.pass(minutes(20))
      expect(launches(harness)).toBe(1)
      expect(await harnessPhase(harness)).toBe('Running')
      expect(harness.log.messages('warn').join()).toMatch(
        ahead > 0 ? /(960|3540) s ahead of the API server's: Kerf/ : /96[01] s behind the API server's: Kerf/,
      )
      harness.stop()
    },
  )

  test('launches nothing while its clock is wrong by hours, reports that on the pool, and continues when the clock is right', async () => {
    const { harness, jump } = await skewedHarness(minutes(120))
    await harness.put(kinds.Pod, anyPod)
    await harness.pass(minutes(5))
    expect(launches(harness)).toBe(0)
    expect(await harness.claims()).toEqual([])
    expect(harness.distinctMessages('ClocksDiffer')).toEqual([
      "the clock of this machine is 7200 s ahead of the API server's: Kerf launches no nodes and does not expire or time out nodes until the clocks agree",
    ])
    jump(0)
    await harness.pass(minutes(2))
    expect(launches(harness)).toBe(1)
    expect(await harnessPhase(harness)).toBe('Running')
    harness.stop()
  })

  test.each([minutes(16), minutes(-16)])(
    'terminates no node when its clock jumps by %d ms while nodes start and run',
    async (jumped) => {
      const { harness, jump } = await skewedHarness(0)
      await harness.patch(karpenterKinds.NodePool, 'general', { spec: { template: { spec: { expireAfter: '25m' } } } })
      await harness.put(kinds.Pod, anyPod)
      await harness.pass(3_000)
      jump(jumped)
      await harness.pass(minutes(10))
      jump(0)
      await harness.pass(minutes(10))
      expect(launches(harness)).toBe(1)
      expect(await harness.claims()).toHaveLength(1)
      expect(await harnessPhase(harness)).toBe('Running')
      harness.stop()
    },
  )
})

test('a commitment ends by the time of the API server, although the clock of Kerf jumps', async () => {
  const { harness, jump } = await skewedHarness(0)
  const end = new Date(harness.clock.now() + minutes(30)).toISOString().replace(/\.\d+/, '')
  await harness.put(policyKinds.ClusterPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: 'default' },
    spec: { commitments: [{ name: 'a', prepaid: { vcpus: 8, end, share: '1' } }] },
  })
  const state = async () =>
    (await harness.admin.get(policyKinds.ClusterPolicy, { name: 'default' })).status?.commitments?.[0]?.state
  await harness.put(kinds.Pod, anyPod)
  await harness.pass(minutes(1))
  expect(await state()).toBe('Active')
  jump(minutes(45))
  await harness.pass(minutes(10))
  expect(await state()).toBe('Active')
  expect(launches(harness)).toBe(1)
  jump(minutes(-45))
  await harness.pass(minutes(15))
  expect(await state()).toBe('Active')
  expect(launches(harness)).toBe(1)
  await harness.pass(minutes(5))
  expect(await state()).toBe('Ended')
  harness.stop()
})

test('a proxy that sends a wrong Date header causes no termination of existing nodes and no second launch', async () => {
  let off = 0
  const { harness } = await skewedHarness(0, { headerAhead: () => off })
  await harness.put(kinds.Pod, anyPod)
  await harness.pass(minutes(1))
  off = minutes(16)
  await harness.put(kinds.Pod, { ...anyPod, metadata: { ...anyPod.metadata, name: 'b' } })
  await harness.pass(minutes(10))
  expect(launches(harness)).toBeLessThanOrEqual(2)
  expect(await harnessPhase(harness)).toBe('Running')
  expect(harness.log.messages('warn').join()).toContain('a proxy before them, differ by 9')
  off = 0
  await harness.pass(minutes(20))
  expect(launches(harness)).toBeLessThanOrEqual(2)
  expect(await harnessPhase(harness, 'b')).toBe('Running')
  harness.stop()
})
