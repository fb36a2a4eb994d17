import { karpenterKinds, kinds } from '@kerf/apis'
import { SkewedClock } from '@kerf/runtime/testing'
import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { createPool, World, type WorldOptions } from '../testing/world/index.ts'

const minutes = (count: number): number => count * 60_000

/** Creates a complete cluster with a pool, in which the clock of Kerf's machine is `ahead`. */
const skewedWorld = async (ahead: number, options: WorldOptions = {}) => {
  const own: SkewedClock[] = []
  const world = await World.create({
    cluster: 'whole',
    ...options,
    ownClock: (clock) => {
      const skewed = new SkewedClock(clock, ahead)
      own.push(skewed)
      return skewed
    },
  })
  await createPool(world)
  await world.pass(2_000)
  const jump = (to: number): void => {
    for (const clock of own) clock.ahead = to
  }
  return { world, jump }
}

const { status: _, ...anyPod } = pod('a')
const launches = ({ log }: World): number => log.messages('info').filter((line) => line === 'launched nodeclaim').length
const phaseOf = async ({ admin }: World, name = 'a'): Promise<string | undefined> =>
  (await admin.get(kinds.Pod, { name, namespace: 'default' })).status?.phase

describe('a controller with a wrong clock', () => {
  test.each([minutes(16), minutes(-16), minutes(59)])(
    'launches each node once, keeps it, and reports the difference: %d ms',
    async (ahead) => {
      const { world } = await skewedWorld(ahead)
      await world.put(kinds.Pod, anyPod)
      await world.pass(minutes(20))
      expect(launches(world)).toBe(1)
      expect(await phaseOf(world)).toBe('Running')
      expect(world.log.messages('warn').join()).toMatch(
        ahead > 0 ? /(960|3540) s ahead of the API server's: Kerf/ : /96[01] s behind the API server's: Kerf/,
      )
      world.stop()
    },
  )

  test('launches nothing while the clock is wrong by hours, reports it on the pool, and continues when it is right', async () => {
    const { world, jump } = await skewedWorld(minutes(120))
    await world.put(kinds.Pod, anyPod)
    await world.pass(minutes(5))
    expect(launches(world)).toBe(0)
    expect(await world.claims()).toEqual([])
    expect(world.distinctMessages('ClocksDiffer')).toEqual([
      "the clock of this machine is 7200 s ahead of the API server's: Kerf launches no nodes and does not expire or time out nodes until the clocks agree",
    ])
    jump(0)
    await world.pass(minutes(2))
    expect(launches(world)).toBe(1)
    expect(await phaseOf(world)).toBe('Running')
    world.stop()
  })

  test.each([minutes(16), minutes(-16)])(
    'terminates no node when it jumps by %d ms while nodes start and run',
    async (jumped) => {
      const { world, jump } = await skewedWorld(0)
      await world.patch(karpenterKinds.NodePool, 'general', { spec: { template: { spec: { expireAfter: '25m' } } } })
      await world.put(kinds.Pod, anyPod)
      await world.pass(3_000)
      jump(jumped)
      await world.pass(minutes(10))
      jump(0)
      await world.pass(minutes(10))
      expect(launches(world)).toBe(1)
      expect(await world.claims()).toHaveLength(1)
      expect(await phaseOf(world)).toBe('Running')
      world.stop()
    },
  )
})

test('a proxy with its own wrong Date header terminates no existing node, and causes no second launch', async () => {
  let off = 0
  const { world } = await skewedWorld(0, { headerAhead: () => off })
  await world.put(kinds.Pod, anyPod)
  await world.pass(minutes(1))
  off = minutes(16)
  await world.put(kinds.Pod, { ...anyPod, metadata: { ...anyPod.metadata, name: 'b' } })
  await world.pass(minutes(10))
  expect(launches(world)).toBeLessThanOrEqual(2)
  expect(await phaseOf(world)).toBe('Running')
  expect(world.log.messages('warn').join()).toContain('a proxy before them, differ by 9')
  off = 0
  await world.pass(minutes(20))
  expect(launches(world)).toBeLessThanOrEqual(2)
  expect(await phaseOf(world, 'b')).toBe('Running')
  world.stop()
})
