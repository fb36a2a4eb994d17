import { karpenterKinds } from '@kerf/apis'
import { condition } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { createKitWorld, type ServerClass, serverClaim, serverClass, serverClassKind } from '../testing/server-class.ts'
import { nodeClassHashing } from './node-class-hash.ts'

const KEYS = { hash: 'cloud.example/hash', version: 'cloud.example/hash-version' }
const stamps = (hash: string, version: string) => ({ [KEYS.hash]: hash, [KEYS.version]: version })

const worldOf = async () => {
  const world = await createKitWorld((context) => [
    nodeClassHashing({
      ...{ context, kind: serverClassKind, annotations: KEYS },
      hash: { version: 'v2', of: ({ spec }: ServerClass) => `hash of ${spec.image}` },
    }),
  ])
  onTestFinished(() => world.stop())
  return world
}

test('a class has the hash of its current spec', async () => {
  const world = await worldOf()
  await world.client.create(serverClassKind, serverClass({ annotations: { mine: 'kept' } }))
  await world.start()
  expect((await world.serverClass()).metadata.annotations).toEqual({ mine: 'kept', ...stamps('hash of linux-1', 'v2') })
  await world.client.patch(
    serverClassKind,
    { name: 'default' },
    { type: 'merge', body: { spec: { image: 'linux-2' } } },
  )
  await world.clock.advance(500)
  expect((await world.serverClass()).metadata.annotations).toMatchObject(stamps('hash of linux-2', 'v2'))
})

test('claims keep the hash from their launch while the hash version is the same', async () => {
  const world = await worldOf()
  await world.client.create(serverClassKind, serverClass({ annotations: stamps('hash of linux-0', 'v2') }))
  await world.client.create(karpenterKinds.NodeClaim, serverClaim('a', stamps('hash of linux-0', 'v2')))
  await world.client.create(karpenterKinds.NodeClaim, serverClaim('b', stamps('as v1 made it', 'v1')))
  await world.start()
  expect((await world.serverClass()).metadata.annotations).toMatchObject(stamps('hash of linux-1', 'v2'))
  expect((await world.claim('a')).metadata.annotations).toEqual(stamps('hash of linux-0', 'v2'))
  expect((await world.claim('b')).metadata.annotations).toEqual(stamps('as v1 made it', 'v1'))
})

test('when the hash version changes, claims get the new hash, except claims that have already drifted', async () => {
  const world = await worldOf()
  const { client } = world
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
  await world.start()
  expect((await world.serverClass()).metadata.annotations).toEqual(stamps('hash of linux-1', 'v2'))
  const stamped = async (name: string) => (await world.claim(name)).metadata.annotations
  expect(await stamped('old')).toEqual(stamps('hash of linux-1', 'v2'))
  expect(await stamped('drifted')).toEqual(stamps('before', 'v2'))
  expect(await stamped('new')).toEqual(stamps('before', 'v2'))
  expect(await stamped('of-others')).toEqual(stamps('before', 'v1'))
})
