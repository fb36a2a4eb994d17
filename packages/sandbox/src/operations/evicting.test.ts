import { kinds, type PodDisruptionBudget } from '@kerf/apis'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { SandboxApi } from '../api/sandbox-api.ts'

const labels = { app: 'web' }
const ref = { namespace: 'default', name: 'web' } as const

test('a pod that is not ready can be evicted if its budget has exactly as many healthy pods as it needs', async () => {
  const client = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client()
  const patchStatus = { subresource: 'status' } as const
  await client.create(kinds.Pod, pod('web', { labels, nodeName: 'a', metadata: { finalizers: ['test/keep'] } }))
  await client.patch(kinds.Pod, ref, { type: 'merge', body: { status: { phase: 'Running' } } }, patchStatus)
  await client.create<PodDisruptionBudget>(kinds.PodDisruptionBudget, {
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: ref },
    spec: { minAvailable: 2, selector: { matchLabels: labels } },
  })
  const status = { expectedPods: 3, currentHealthy: 2, desiredHealthy: 2, disruptionsAllowed: 0, observedGeneration: 1 }
  await client.patch(kinds.PodDisruptionBudget, ref, { type: 'merge', body: { status } }, patchStatus)
  await client.evict(ref)
  expect((await client.get(kinds.Pod, ref)).metadata.deletionTimestamp).toBeDefined()
})
