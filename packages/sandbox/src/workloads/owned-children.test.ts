import { kinds } from '@kerf/apis'
import { ApiError, SeededRandom, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { SandboxCluster } from '../cluster/sandbox-cluster.ts'

test('a failed deletion is retried immediately, without waiting for the expectation to time out', async () => {
  const clock = new VirtualClock()
  let failures = 0
  const cluster = new SandboxCluster({
    clock,
    random: new SeededRandom(1),
    events: false,
    interceptor: {
      before: ({ verb, kind }) => {
        if (verb !== 'delete' || kind?.kind !== 'Pod' || failures > 0) return
        failures++
        throw new ApiError({ code: 500, reason: 'InternalError', message: 'not now' })
      },
    },
  })
  void cluster.start()
  await clock.advance(1_000)
  await cluster.client.create(kinds.Job, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'report', namespace: 'default' },
    spec: {
      parallelism: 2,
      completions: 4,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'main' }] } },
    },
  })
  await clock.advance(1_000)
  expect((await cluster.client.list(kinds.Pod)).items).toHaveLength(2)
  const body = { spec: { parallelism: 1 } }
  await cluster.client.patch(kinds.Job, { namespace: 'default', name: 'report' }, { type: 'merge', body })
  await clock.advance(30_000)
  expect(failures).toBe(1)
  expect((await cluster.client.list(kinds.Pod)).items).toHaveLength(1)
  await cluster.stop()
})
