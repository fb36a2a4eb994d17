import { isConditionTrue, karpenterKinds, kinds, type Node, type NodeClaim } from '@kerf/apis'
import { sampled } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import {
  apiError,
  createClaim,
  createInitializedClaim,
  createInstantPodOn,
  type Harness,
  lifecycleHarness,
} from '../../testing/harness/index.ts'

const minutes = (count: number): number => count * 60_000

/**
 * Returns which of three rules are violated: every instance has a claim, every launched claim has an instance, and no two instances belong
 * to the same claim.
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

/** Crashes the process at its `at`-th call, before or after the call takes effect. Another process then starts. */
const crashAt = (harness: Harness, at: number, when: 'before' | 'after'): void => {
  const target = harness.calls + at
  harness.fault = (_, moment) => {
    if (moment !== when || harness.calls < target) return undefined
    harness.fault = undefined
    return 'crash'
  }
}

/** Returns the call numbers from 1 to `last`. */
const calls = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1)

describe('a crash at any call', () => {
  test.each(['before', 'after'] as const)(
    'during launches leaves one node per claim (%s the call takes effect)',
    async (when) => {
      for (const at of sampled(calls(24), 5, `launch ${when}`)) {
        const harness = await lifecycleHarness({ seed: at })
        crashAt(harness, at, when)
        for (const name of ['a', 'b']) await createClaim(harness, name)
        await harness.pass(2_000)
        if (!harness.isRunning) harness.start()
        harness.fault = undefined
        await harness.pass(minutes(4))
        const claims = [await harness.readClaim('a'), await harness.readClaim('b')]
        expect(pairs(await harness.nodes(), claims), `call ${at}`).toEqual([])
        expect(
          claims.map((claim) => claim !== undefined && isConditionTrue(claim, 'Initialized')),
          `call ${at}`,
        ).toEqual([true, true])
      }
    },
  )

  test.each(['before', 'after'] as const)(
    'during a termination leaves nothing behind (%s the call takes effect)',
    async (when) => {
      for (const at of sampled(calls(20), 5, `end ${when}`)) {
        const harness = await lifecycleHarness({ seed: at, kwok: { instanceTerminationDelay: 2_000 } })
        await createInitializedClaim(harness)
        const node = await harness.node()
        await createInstantPodOn(harness, 'web', node.metadata.name)
        await harness.pass(500)
        crashAt(harness, at, when)
        await harness.delete(kinds.Node, node)
        await harness.pass(20_000)
        if (!harness.isRunning) harness.start()
        harness.fault = undefined
        await harness.pass(minutes(2))
        expect(await harness.nodes(), `call ${at}`).toEqual([])
        expect(await harness.readClaim(), `call ${at}`).toBeUndefined()
        expect(await harness.podNames(), `call ${at}`).toEqual([])
      }
    },
  )

  test('leaves no instance if the claim is deleted while no process runs', async () => {
    const harness = await lifecycleHarness({ registrationDelay: '5s' })
    await createClaim(harness)
    await harness.pass(1_000)
    harness.kill()
    await harness.admin.delete(karpenterKinds.NodeClaim, { name: 'a' })
    harness.start()
    await harness.pass(minutes(2))
    expect(await harness.nodes()).toEqual([])
    expect(await harness.readClaim()).toBeUndefined()
  })

  test('leaves an instance whose claim disappeared to garbage collection, which terminates it after its grace period', async () => {
    const harness = await lifecycleHarness()
    const claim = await createInitializedClaim(harness)
    harness.kill()
    await harness.patch(karpenterKinds.NodeClaim, claim, { metadata: { finalizers: null } })
    await harness.patch(kinds.Node, await harness.node(), { metadata: { ownerReferences: null } })
    await harness.delete(karpenterKinds.NodeClaim, claim)
    harness.start()
    await harness.pass(20_000)
    expect((await harness.node()).metadata.deletionTimestamp).toBeUndefined()
    await harness.pass(minutes(1))
    expect(await harness.nodes()).toEqual([])
  })
})

describe('a client whose writes succeed but return an error', () => {
  test('launches exactly one node per claim if every third response is lost', async () => {
    const harness = await lifecycleHarness()
    let count = 0
    harness.fault = (call, when) => {
      const isWrite = call.verb === 'create' || call.verb === 'patch' || call.verb === 'delete'
      if (when !== 'after' || !isWrite) return undefined
      count++
      return count % 3 === 0 ? apiError(500) : undefined
    }
    for (const name of ['a', 'b', 'c']) await createClaim(harness, name)
    await harness.pass(minutes(3))
    harness.fault = undefined
    await harness.pass(minutes(3))
    const claims = await Promise.all(['a', 'b', 'c'].map((name) => harness.readClaim(name)))
    expect(pairs(await harness.nodes(), claims)).toEqual([])
    expect(claims.every((claim) => claim !== undefined && isConditionTrue(claim, 'Initialized'))).toBe(true)
  })
})
