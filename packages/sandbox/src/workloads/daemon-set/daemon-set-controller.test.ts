import { type DaemonSet, kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { node, podSpec, VirtualCluster } from '../../testing/virtual-cluster.ts'

const minutes = (count: number): number => count * 60_000

test('a daemon set covers the nodes it tolerates, including cordoned ones, and updates one node at a time', async () => {
  await using cluster = await VirtualCluster.start()
  const set: DaemonSet = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: {
        metadata: { labels: { app: 'agent' } },
        spec: podSpec({ cpu: '100m' }, { tolerations: [{ key: 'pool', operator: 'Equal', value: 'gpu' }] }),
      },
    },
  }
  await cluster.apply(
    node('plain'),
    node('cordoned', {}, { spec: { unschedulable: true } }),
    node('gpu', {}, { spec: { taints: [{ key: 'pool', value: 'gpu', effect: 'NoSchedule' }] } }),
    node('strange', {}, { spec: { taints: [{ key: 'other', effect: 'NoSchedule' }] } }),
    set,
  )
  await cluster.settle()
  expect(cluster.perNode()).toEqual({ plain: 1, cordoned: 1, gpu: 1 })
  expect((await cluster.get(kinds.DaemonSet, 'agent')).status).toMatchObject({
    desiredNumberScheduled: 3,
    currentNumberScheduled: 3,
    numberReady: 3,
    numberAvailable: 3,
    updatedNumberScheduled: 3,
    numberMisscheduled: 0,
  })
  await cluster.patch(kinds.DaemonSet, 'agent', { spec: { template: { metadata: { labels: { v: '2' } } } } })
  await cluster.settle()
  expect(cluster.pods().map((pod) => pod.metadata.labels?.['v'])).toEqual(['2', '2', '2'])
  await cluster.client.delete(kinds.Node, { name: 'plain' })
  await cluster.apply(node('late'))
  await cluster.pass(minutes(1))
  await cluster.settle()
  expect(cluster.perNode()).toEqual({ late: 1, cordoned: 1, gpu: 1 })
})
