import { isConditionTrue, karpenterKinds, kinds, type Node, type NodeClaim } from '@kerf/apis'
import { sampled } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import {
  apiError,
  createClaim,
  createInitializedClaim,
  createInstantPodOn,
  lifecycleWorld,
  type World,
} from '../../testing/world/index.ts'

const minutes = (count: number): number => count * 60_000

/**
 * Returns violations of three rules: every instance has a claim, every launched claim has an instance, and no claim has two.
 */
const pairs = (nodes: readonly Node[], claims: readonly (NodeClaim | undefined)[]): readonly string[] => {
  const launched = claims.flatMap((claim) => claim?.status?.providerID ?? [])
  const running = nodes.map(({ spec }) => spec.providerID ?? '')
  return [
    ...running.filter((id) => !launched.includes(id)).map((id) => `instance ${id} has no claim`),
    ...launched.filter((id) => !running.includes(id)).map((id) => `claim of ${id} has no instance`),
    ...running.filter((id, index) => running.indexOf(id) !== index).map((id) => `instance ${id} twice`),
  ]
}

/** Kills the process at its `at`-th call from now, before or after the call takes effect, and starts another process. */
const crashAt = (world: World, at: number, when: 'before' | 'after'): void => {
  const target = world.calls + at
  world.fault = (_, moment) => {
    if (moment !== when || world.calls < target) return undefined
    world.fault = undefined
    return 'crash'
  }
}

/** Returns the call numbers from 1 to `last`. */
const calls = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1)

describe('killed between any two calls', () => {
  test.each(['before', 'after'] as const)('while claims launch (%s the call takes effect)', async (when) => {
    for (const at of sampled(calls(24), 5, `launch ${when}`)) {
      const world = await lifecycleWorld({ seed: at })
      crashAt(world, at, when)
      for (const name of ['a', 'b']) await createClaim(world, name)
      await world.pass(2_000)
      if (!world.isRunning) world.start()
      world.fault = undefined
      await world.pass(minutes(4))
      const claims = [await world.readClaim('a'), await world.readClaim('b')]
      expect(pairs(await world.nodes(), claims), `call ${at}`).toEqual([])
      expect(
        claims.map((claim) => claim !== undefined && isConditionTrue(claim, 'Initialized')),
        `call ${at}`,
      ).toEqual([true, true])
    }
  })

  test.each(['before', 'after'] as const)('while a node ends (%s the call takes effect)', async (when) => {
    for (const at of sampled(calls(20), 5, `end ${when}`)) {
      const world = await lifecycleWorld({ seed: at, kwok: { instanceTerminationDelay: 2_000 } })
      await createInitializedClaim(world)
      const node = await world.node()
      await createInstantPodOn(world, 'web', node.metadata.name)
      await world.pass(500)
      crashAt(world, at, when)
      await world.delete(kinds.Node, node)
      await world.pass(20_000)
      if (!world.isRunning) world.start()
      world.fault = undefined
      await world.pass(minutes(2))
      expect(await world.nodes(), `call ${at}`).toEqual([])
      expect(await world.readClaim(), `call ${at}`).toBeUndefined()
      expect(await world.podNames(), `call ${at}`).toEqual([])
    }
  })

  test('a claim that is deleted while no process runs leaves no instance', async () => {
    const world = await lifecycleWorld({ registrationDelay: '5s' })
    await createClaim(world)
    await world.pass(1_000)
    world.kill()
    await world.admin.delete(karpenterKinds.NodeClaim, { name: 'a' })
    world.start()
    await world.pass(minutes(2))
    expect(await world.nodes()).toEqual([])
    expect(await world.readClaim()).toBeUndefined()
  })

  test('an instance whose claim disappeared is garbage-collected after the grace period', async () => {
    const world = await lifecycleWorld()
    const claim = await createInitializedClaim(world)
    world.kill()
    await world.patch(karpenterKinds.NodeClaim, claim, { metadata: { finalizers: null } })
    await world.patch(kinds.Node, await world.node(), { metadata: { ownerReferences: null } })
    await world.delete(karpenterKinds.NodeClaim, claim)
    world.start()
    await world.pass(20_000)
    expect((await world.node()).metadata.deletionTimestamp).toBeUndefined()
    await world.pass(minutes(1))
    expect(await world.nodes()).toEqual([])
  })
})

describe('writes that succeed but return an error', () => {
  test('a launch with every third answer lost still ends with one node per claim', async () => {
    const world = await lifecycleWorld()
    let count = 0
    world.fault = (call, when) => {
      const isWrite = call.verb === 'create' || call.verb === 'patch' || call.verb === 'delete'
      if (when !== 'after' || !isWrite) return undefined
      count++
      return count % 3 === 0 ? apiError(500) : undefined
    }
    for (const name of ['a', 'b', 'c']) await createClaim(world, name)
    await world.pass(minutes(3))
    world.fault = undefined
    await world.pass(minutes(3))
    const claims = await Promise.all(['a', 'b', 'c'].map((name) => world.readClaim(name)))
    expect(pairs(await world.nodes(), claims)).toEqual([])
    expect(claims.every((claim) => claim !== undefined && isConditionTrue(claim, 'Initialized'))).toBe(true)
  })
})
