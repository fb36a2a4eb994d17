import { kinds, type Pod } from '@kerf/apis'
import { isAlreadyExists } from '@kerf/runtime'
import { pod } from '@kerf/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPoolOfType, World } from '../../../packages/controllers/src/testing/world/index.ts'
import type { HostileObject } from './hostile-object.ts'
import { hostileObject } from './hostile-objects.ts'
import { TENANT } from './hostile-pods.ts'
import { partsOf } from './parts.ts'

/** 300 objects with each change, and 10,000 in the nightly run. */
const OBJECTS = 10
const parts = partsOf(30, { runs: 1_000, parts: 20 })
/** The maximum time until an ordinary pod has a node: batching window, launch, registration and the next attempt of kube-scheduler. */
const SERVED_WITHIN = 60_000

const start = async (): Promise<World> => {
  const world = await World.create({
    cluster: 'whole',
    gates: { CapacityBuffer: true, NodeOverlay: true, StaticCapacity: true },
    settings: { ignoreDraRequests: false },
  })
  await world.admin.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: TENANT } })
  await createPoolOfType(world, 's-4x-amd64-linux', 'ordinary')
  return world
}

/** Creates the object unless an object of this name exists. */
const create = async (world: World, { kind, object }: HostileObject): Promise<void> => {
  try {
    await world.admin.create(kind, object)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

/** Creates an ordinary pod that needs a whole node, and waits until it is bound. */
const isServed = async (world: World, name: string): Promise<boolean> => {
  const { status: _, ...wanted } = pod(name, { requests: { cpu: '3' } })
  await world.admin.create(kinds.Pod, wanted)
  for (let passed = 0; passed < SERVED_WITHIN; passed += 5_000) {
    await world.pass(5_000)
    const now: Pod = await world.admin.get(kinds.Pod, { name, namespace: 'default' })
    if (now.spec.nodeName !== undefined) return true
  }
  return false
}

test.each(parts)('each ordinary pod gets a node, whatever valid objects exist (seed $seed)', async ({ seed, runs }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostileObject, { minLength: OBJECTS, maxLength: OBJECTS }), async (objects) => {
      const world = await start()
      try {
        for (const object of objects.slice(0, OBJECTS / 2)) await create(world, object)
        expect(await isServed(world, 'first')).toBe(true)
        for (const object of objects.slice(OBJECTS / 2)) await create(world, object)
        expect(await isServed(world, 'second')).toBe(true)
      } finally {
        world.stop()
      }
    }),
    { seed, numRuns: runs, endOnFailure: true },
  )
})
