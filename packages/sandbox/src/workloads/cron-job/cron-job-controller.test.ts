import { type CronJob, kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { node, podSpec, VirtualCluster } from '../../testing/virtual-cluster.ts'

const minutes = (count: number): number => count * 60_000

test('a cron job runs on its schedule in its time zone for a virtual day', async () => {
  await using cluster = await VirtualCluster.start()
  const cronJob: CronJob = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'report' },
    spec: {
      schedule: '0 */2 * * *',
      timeZone: 'Asia/Kolkata',
      jobTemplate: { spec: { template: { spec: podSpec({}, { restartPolicy: 'Never' }) } } },
    },
  }
  const times: string[] = []
  cluster.cluster.informers.of(kinds.Job).onChange(({ before, after }) => {
    if (before === undefined && after !== undefined) times.push(after.metadata.creationTimestamp?.slice(11, 16) ?? '')
  })
  await cluster.apply(node('a'), cronJob)
  await cluster.pass(minutes(24 * 60))
  expect(times).toEqual(Array.from({ length: 12 }, (_, hour) => `${String(hour * 2).padStart(2, '0')}:30`))
  expect(cluster.list(kinds.Job)).toHaveLength(3)
  expect((await cluster.get(kinds.CronJob, 'report')).status).toMatchObject({
    lastScheduleTime: '2026-01-01T22:30:00Z',
  })
})
