import { kinds } from '@kerf/apis'
import { SeededRandom, separateByKind, VirtualClock } from '@kerf/runtime'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { SandboxApi } from './sandbox-api.ts'

/** Creates other objects and then two pods. Returns the UIDs and the generated name that the pods get with this seed. */
const podValues = async (others: readonly string[]) => {
  const client = new SandboxApi({ clock: new VirtualClock(), ...separateByKind(new SeededRandom(1)) }).client()
  for (const name of others)
    await client.create(kinds.ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default' },
    })
  const generated = {
    ...pod('', { namespace: 'default' }),
    metadata: { name: '', namespace: 'default', generateName: 'web-' },
  }
  const { name, uid } = (await client.create(kinds.Pod, generated)).metadata
  await client.create(kinds.Pod, pod('second', { namespace: 'default' }))
  return { name, uid, second: (await client.get(kinds.Pod, { name: 'second', namespace: 'default' })).metadata.uid }
}

test('with a source for each kind, objects of another kind change neither UIDs nor generated names', async () => {
  expect(await podValues(['a', 'b'])).toEqual(await podValues([]))
})
