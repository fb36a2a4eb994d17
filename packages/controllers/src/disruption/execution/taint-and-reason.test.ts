import { findCondition, karpenterKinds, kinds, type Node, type NodeClaim, taints } from '@kerf/apis'
import { type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { node, nodeClaim } from '@kerf/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { refusingClient } from '../../testing/by-hand/refusing-client.ts'
import { apiError } from '../../testing/harness/index.ts'
import { addTaint, hasReason, isTainted, removeTaint, writeReason } from './taint-and-reason.ts'

const never = new AbortController().signal

/** A pass may read objects that are older than Kerf's latest writes. */
describe('a taint or reason that only a stale object has', () => {
  const clock = new VirtualClock()
  let client: KubeClient
  beforeEach(async () => {
    client = new SandboxApi({ clock, random: new SeededRandom(1) }).client()
    await installCustomResources(client, [])
  })

  test('is written to the claim again (the reason)', async () => {
    const made = await client.create<NodeClaim>(karpenterKinds.NodeClaim, nodeClaim('a'))
    const read = (): Promise<NodeClaim> => client.get(karpenterKinds.NodeClaim, { name: 'a' })
    expect(await writeReason({ client, clock }, made, 'Underutilized', never)).toBe(true)
    const old = await read()
    // An earlier process wrote the reason, and the new process removes it. The new process then chooses the node again before its informer
    // shows the removal.
    expect(await writeReason({ client, clock }, old, undefined, never)).toBe(true)
    expect(findCondition(await read(), 'DisruptionReason')).toBeUndefined()
    expect(await writeReason({ client, clock }, old, 'Underutilized', never)).toBe(true)
    expect(findCondition(await read(), 'DisruptionReason')).toMatchObject({ status: 'True', reason: 'Underutilized' })
  })

  test('is written to the node again (the taint)', async () => {
    const made = await client.create<Node>(kinds.Node, node('a', { spec: { taints: [taints.disrupted] } }))
    const read = (): Promise<Node> => client.get(kinds.Node, { name: 'a' })
    expect(await removeTaint({ client, clock }, made, never)).toBe(true)
    expect(isTainted(await read())).toBe(false)
    expect(await addTaint({ client, clock }, made, never)).toBe(true)
    expect(isTainted(await read())).toBe(true)
  })

  test('is not written to a deleted object', async () => {
    const made = await client.create<Node>(kinds.Node, node('a', { spec: { taints: [taints.disrupted] } }))
    await client.delete(kinds.Node, { name: 'a' })
    expect(await addTaint({ client, clock }, made, never)).toBe(false)
  })
})

describe('conflicts with writes by others', () => {
  /**
   * Writes a reason to an object whose first `conflicts` writes fail with a conflict. Returns the result, and the time of each attempt
   * relative to the first.
   */
  const attempts = async (conflicts: number) => {
    const clock = new VirtualClock()
    const began = clock.now()
    const times: number[] = []
    const client = refusingClient({
      get: async () => node('a') as never,
      patch: async () => {
        times.push(clock.now() - began)
        if (times.length <= conflicts) throw apiError(409)
        return node('a') as never
      },
    })
    const answer = addTaint({ client, clock }, node('a'), never).catch((error: unknown) => error)
    await clock.advance(5_000)
    return { times, answer: await answer }
  }

  test('are retried four times within a third of a second', async () => {
    expect(await attempts(3)).toEqual({ times: [0, 10, 60, 310], answer: true })
  })

  test('fail the write if the retries do not succeed', async () => {
    expect(await attempts(9)).toMatchObject({ times: [0, 10, 60, 310], answer: { code: 409 } })
  })
})

test('a missing object needs no write', () => {
  expect([isTainted(undefined), hasReason(undefined)]).toEqual([false, false])
  expect([isTainted(node('a')), hasReason(nodeClaim('a'))]).toEqual([false, false])
})
