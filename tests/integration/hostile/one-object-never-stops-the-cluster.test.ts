import { kinds, type Pod } from '@kerf/apis'
import { isAlreadyExists } from '@kerf/runtime'
import { pod } from '@kerf/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPoolOfType, Harness } from '../../../packages/controllers/src/testing/harness/index.ts'
import type { HostileObject } from './hostile-object.ts'
import { hostileObject } from './hostile-objects.ts'
import { TENANT } from './hostile-pods.ts'
import { splitRuns } from './parts.ts'

/** The number of objects in each sample. A run for a change tests 300 objects in total, and the nightly run tests 10,000. */
const OBJECTS = 10
const parts = splitRuns(30, { runs: 1_000, parts: 20 })
/** How long it may take until an ordinary pod has a node: batching window, launch, registration and the next attempt of kube-scheduler. */
const SERVED_WITHIN = 60_000

const start = async (): Promise<Harness> => {
  const harness = await Harness.create({
    cluster: 'whole',
    gates: { CapacityBuffer: true, NodeOverlay: true, StaticCapacity: true },
    settings: { ignoreDraRequests: false },
  })
  await harness.admin.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: TENANT } })
  await createPoolOfType(harness, 's-4x-amd64-linux', 'ordinary')
  return harness
}

/** Creates the object unless one with its name exists. */
const create = async (harness: Harness, { kind, object }: HostileObject): Promise<void> => {
  try {
    await harness.admin.create(kind, object)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

/** Creates an ordinary pod that needs a whole node. Resolves to whether it is bound in time. */
const isServed = async (harness: Harness, name: string): Promise<boolean> => {
  const { status: _, ...wanted } = pod(name, { requests: { cpu: '3' } })
  await harness.admin.create(kinds.Pod, wanted)
  for (let passed = 0; passed < SERVED_WITHIN; passed += 5_000) {
    await harness.pass(5_000)
    const now: Pod = await harness.admin.get(kinds.Pod, { name, namespace: 'default' })
    if (now.spec.nodeName !== undefined) return true
  }
  return false
}

test.each(parts)('each ordinary pod gets a node, whatever valid objects exist (seed $seed)', async ({ seed, runs }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostileObject, { minLength: OBJECTS, maxLength: OBJECTS }), async (objects) => {
      const harness = await start()
      try {
        for (const object of objects.slice(0, OBJECTS / 2)) await create(harness, object)
        expect(await isServed(harness, 'first')).toBe(true)
        for (const object of objects.slice(OBJECTS / 2)) await create(harness, object)
        expect(await isServed(harness, 'second')).toBe(true)
      } finally {
        harness.stop()
      }
    }),
    { seed, numRuns: runs, endOnFailure: true },
  )
})
