import { karpenterKinds } from '@kerf/apis'
import { expect, onTestFinished, test } from 'vitest'
import { createKitHarness, serverClaim } from '../testing/server-class.ts'
import { deleteObject } from './delete-object.ts'

const never = new AbortController().signal
const kind = karpenterKinds.NodeClaim

const startHarness = async () => {
  const harness = await createKitHarness(() => [])
  onTestFinished(() => harness.stop())
  return harness
}

test('an object is deleted, and the result is whether it existed', async () => {
  const { client } = await startHarness()
  const claim = await client.create(kind, serverClaim('a'))
  expect(await deleteObject(client, kind, claim, never)).toBe(true)
  expect((await client.list(kind)).items).toEqual([])
  expect(await deleteObject(client, kind, claim, never)).toBe(false)
})

test('another object with the same name is kept', async () => {
  const { client } = await startHarness()
  const before = await client.create(kind, serverClaim('a'))
  await client.delete(kind, { name: 'a' })
  await client.create(kind, serverClaim('a'))
  await expect(deleteObject(client, kind, before, never)).rejects.toMatchObject({ code: 409 })
  expect((await client.list(kind)).items).toHaveLength(1)
})
