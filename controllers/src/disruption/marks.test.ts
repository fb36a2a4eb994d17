import { findCondition, karpenterKinds, kinds, type Node, type NodeClaim, taints } from '@kerf/apis'
import { type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { beforeEach, describe, expect, test } from 'vitest'
import { addTaint, isTainted, markReason, removeTaint } from './marks.ts'

const never = new AbortController().signal

/** A round is begun with objects that may be older than what it has just written itself. */
describe('a mark that only an old object has', () => {
  const clock = new VirtualClock()
  let client: KubeClient
  beforeEach(async () => {
    client = new SandboxApi({ clock, random: new SeededRandom(1) }).client()
    await installCustomResources(client)
  })

  test('is put on the claim again', async () => {
    const made = await client.create<NodeClaim>(karpenterKinds.NodeClaim, {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: 'a' },
      spec: {
        nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
        requirements: [],
      },
    })
    const read = (): Promise<NodeClaim> => client.get(karpenterKinds.NodeClaim, { name: 'a' })
    expect(await markReason({ client, clock }, made, 'Underutilized', never)).toBe(true)
    const old = await read()
    // An earlier process left it; a new one takes it away, and chooses the node anew before it sees that.
    expect(await markReason({ client, clock }, old, undefined, never)).toBe(true)
    expect(findCondition(await read(), 'DisruptionReason')).toBeUndefined()
    expect(await markReason({ client, clock }, old, 'Underutilized', never)).toBe(true)
    expect(findCondition(await read(), 'DisruptionReason')).toMatchObject({ status: 'True', reason: 'Underutilized' })
  })

  test('is put on the node again', async () => {
    const made = await client.create<Node>(kinds.Node, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'a' },
      spec: { taints: [taints.disrupted] },
    })
    const read = (): Promise<Node> => client.get(kinds.Node, { name: 'a' })
    expect(await removeTaint({ client, clock }, made, never)).toBe(true)
    expect(isTainted(await read())).toBe(false)
    expect(await addTaint({ client, clock }, made, never)).toBe(true)
    expect(isTainted(await read())).toBe(true)
  })

  test('of an object that is gone is none', async () => {
    const made = await client.create<Node>(kinds.Node, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'a' },
      spec: { taints: [taints.disrupted] },
    })
    await client.delete(kinds.Node, { name: 'a' })
    expect(await addTaint({ client, clock }, made, never)).toBe(false)
  })
})
