import { karpenterKinds } from '@kerf/apis'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { annotate } from './annotate.ts'

const never = new AbortController().signal

const clientOf = async () => {
  const { client } = new SandboxCluster({
    ...{ clock: new VirtualClock(), random: new SeededRandom(1) },
    ...{ kubelet: false, scheduler: false, events: false },
  })
  await installCustomResources(client)
  return client
}

test('annotations are added to those that are there', async () => {
  const client = await clientOf()
  await client.create(karpenterKinds.NodeClaim, nodeClaim('a', { metadata: { annotations: { x: '1', y: '1' } } }))
  await annotate(client, karpenterKinds.NodeClaim, 'a', { y: '2', z: '2' }, never)
  const { metadata } = await client.get(karpenterKinds.NodeClaim, { name: 'a' })
  expect(metadata.annotations).toEqual({ x: '1', y: '2', z: '2' })
})

test('an object that is gone needs none; any other refusal is an error', async () => {
  const client = await clientOf()
  await annotate(client, karpenterKinds.NodeClaim, 'a', { x: '1' }, never)
  await client.create(karpenterKinds.NodeClaim, nodeClaim('a'))
  await expect(annotate(client, karpenterKinds.NodeClaim, 'a', { 'not a key': '1' }, never)).rejects.toThrow(
    'not a key',
  )
})
