import { karpenterKinds } from '@kerf/apis'
import { condition } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import {
  createKitHarness,
  type ServerClass,
  serverClaim,
  serverClass,
  serverClassKind,
} from '../testing/server-class.ts'
import { nodeClassHashing } from './node-class-hash.ts'

const KEYS = { hash: 'cloud.example/hash', version: 'cloud.example/hash-version' }
const stamps = (hash: string, version: string) => ({ [KEYS.hash]: hash, [KEYS.version]: version })

const startHarness = async () => {
  const harness = await createKitHarness((context) => [
    nodeClassHashing({
      ...{ context, kind: serverClassKind, annotations: KEYS },
      hash: { version: 'v2', of: ({ spec }: ServerClass) => `hash of ${spec.image}` },
    }),
  ])
  onTestFinished(() => harness.stop())
  return harness
}

test('a class is annotated with the hash of its current spec', async () => {
  const harness = await startHarness()
  await harness.client.create(serverClassKind, serverClass({ annotations: { mine: 'kept' } }))
  await harness.start()
  expect((await harness.serverClass()).metadata.annotations).toEqual({
    mine: 'kept',
    ...stamps('hash of linux-1', 'v2'),
  })
  await harness.client.patch(
    serverClassKind,
    { name: 'default' },
    { type: 'merge', body: { spec: { image: 'linux-2' } } },
  )
  await harness.clock.advance(500)
  expect((await harness.serverClass()).metadata.annotations).toMatchObject(stamps('hash of linux-2', 'v2'))
})

test('claims keep the hash from their launch while the hash version is the same', async () => {
  const harness = await startHarness()
  await harness.client.create(serverClassKind, serverClass({ annotations: stamps('hash of linux-0', 'v2') }))
  await harness.client.create(karpenterKinds.NodeClaim, serverClaim('a', stamps('hash of linux-0', 'v2')))
  await harness.client.create(karpenterKinds.NodeClaim, serverClaim('b', stamps('as v1 made it', 'v1')))
  await harness.start()
  expect((await harness.serverClass()).metadata.annotations).toMatchObject(stamps('hash of linux-1', 'v2'))
  expect((await harness.claim('a')).metadata.annotations).toEqual(stamps('hash of linux-0', 'v2'))
  expect((await harness.claim('b')).metadata.annotations).toEqual(stamps('as v1 made it', 'v1'))
})

test('when the hash version changes, claims get the new hash, except claims that have already drifted', async () => {
  const harness = await startHarness()
  const { client } = harness
  await client.create(serverClassKind, serverClass({ annotations: stamps('as v1 made it', 'v1') }))
  for (const name of ['old', 'drifted', 'new', 'of-others']) {
    const claim = serverClaim(name, stamps('before', name === 'new' ? 'v2' : 'v1'))
    const ref = { ...claim.spec.nodeClassRef, name: name === 'of-others' ? 'other' : 'default' }
    await client.create(karpenterKinds.NodeClaim, { ...claim, spec: { ...claim.spec, nodeClassRef: ref } })
  }
  const status = { conditions: [condition('Drifted')] }
  await client.patch(
    karpenterKinds.NodeClaim,
    { name: 'drifted' },
    { type: 'merge', body: { status } },
    { subresource: 'status' },
  )
  await harness.start()
  expect((await harness.serverClass()).metadata.annotations).toEqual(stamps('hash of linux-1', 'v2'))
  const stamped = async (name: string) => (await harness.claim(name)).metadata.annotations
  expect(await stamped('old')).toEqual(stamps('hash of linux-1', 'v2'))
  expect(await stamped('drifted')).toEqual(stamps('before', 'v2'))
  expect(await stamped('new')).toEqual(stamps('before', 'v2'))
  expect(await stamped('of-others')).toEqual(stamps('before', 'v1'))
})
