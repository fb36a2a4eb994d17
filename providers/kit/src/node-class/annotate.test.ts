import { karpenterKinds } from '@kerf/apis'
import { nodeClaim } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { createKitHarness } from '../testing/server-class.ts'
import { annotate } from './annotate.ts'

const never = new AbortController().signal

const startClient = async () => {
  const harness = await createKitHarness(() => [])
  onTestFinished(() => harness.stop())
  return harness.client
}

test('new annotations are added to the existing ones', async () => {
  const client = await startClient()
  await client.create(karpenterKinds.NodeClaim, nodeClaim('a', { metadata: { annotations: { x: '1', y: '1' } } }))
  await annotate(client, karpenterKinds.NodeClaim, 'a', { y: '2', z: '2' }, never)
  const { metadata } = await client.get(karpenterKinds.NodeClaim, { name: 'a' })
  expect(metadata.annotations).toEqual({ x: '1', y: '2', z: '2' })
})

test('a missing object is ignored; any other refusal is an error', async () => {
  const client = await startClient()
  await annotate(client, karpenterKinds.NodeClaim, 'a', { x: '1' }, never)
  await client.create(karpenterKinds.NodeClaim, nodeClaim('a'))
  await expect(annotate(client, karpenterKinds.NodeClaim, 'a', { 'not a key': '1' }, never)).rejects.toThrow(
    'not a key',
  )
})
