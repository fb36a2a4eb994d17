import { type Job, kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { node, podSpec, VirtualCluster } from '../../testing/virtual-cluster.ts'

const minutes = (count: number): number => count * 60_000

test('a job counts its completions, retries failures, and is removed after its `ttlSecondsAfterFinished`', async () => {
  await using cluster = await VirtualCluster.start()
  const job = (name: string, spec: Partial<Job['spec']>, annotations: Readonly<Record<string, string>> = {}): Job => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { metadata: { annotations }, spec: podSpec({}, { restartPolicy: 'Never' }) }, ...spec },
  })
  await cluster.apply(
    node('a'),
    job('six', { completions: 6, parallelism: 2, ttlSecondsAfterFinished: 600 }),
    job('bad', { backoffLimit: 2 }, { 'sandbox.kerf.sh/exit-code': '1' }),
    job('slow', { activeDeadlineSeconds: 5 }, { 'sandbox.kerf.sh/run-for': '1h' }),
  )
  await cluster.pass(minutes(5))
  expect((await cluster.get(kinds.Job, 'six')).status).toMatchObject({ succeeded: 6, active: 0 })
  expect((await cluster.get(kinds.Job, 'six')).status?.conditions?.map((one) => one.type)).toContain('Complete')
  expect((await cluster.get(kinds.Job, 'bad')).status).toMatchObject({
    failed: 3,
    conditions: [expect.objectContaining({ type: 'Failed', reason: 'BackoffLimitExceeded' })],
  })
  expect((await cluster.get(kinds.Job, 'slow')).status?.conditions).toEqual([
    expect.objectContaining({ type: 'Failed', reason: 'DeadlineExceeded' }),
  ])
  await cluster.pass(minutes(10))
  expect(cluster.list(kinds.Job).map((one) => one.metadata.name)).toEqual(['bad', 'slow'])
})
