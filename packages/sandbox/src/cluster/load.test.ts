import { expect, test } from 'vitest'
import type { ApiCall } from '../api/interceptor.ts'
import { deployment, node, VirtualCluster } from '../testing/virtual-cluster.ts'

test('starting 4,000 pods on 400 nodes takes three writes per pod, and an idle cluster renews one Lease per node', async () => {
  const writes = new Map<string, number>()
  const before = ({ verb, kind }: ApiCall): void => {
    if (['get', 'list', 'watch'].includes(verb)) return
    const name = verb === 'bind' ? 'bind' : `${verb} ${kind?.kind}`
    writes.set(name, (writes.get(name) ?? 0) + 1)
  }
  await using cluster = await VirtualCluster.start({ events: false, interceptor: { before } })
  for (let index = 0; index < 400; index++) await cluster.apply(node(`node-${index}`, { cpu: '16', memory: '64Gi' }))
  await cluster.settle()
  for (let index = 0; index < 8; index++)
    await cluster.apply(deployment(`app-${index}`, 500, { cpu: '1', memory: '1Gi' }))
  await cluster.settle()
  expect(cluster.pods().filter((pod) => pod.status?.phase === 'Running')).toHaveLength(4000)
  expect(cluster.cluster.scheduler?.attempts).toBe(4000)
  expect(Object.fromEntries([...writes].filter(([name]) => name === 'bind' || name.endsWith('Pod')))).toEqual({
    'create Pod': 4000,
    bind: 4000,
    'patch Pod': 4000,
  })
  const statuses = (writes.get('patch ReplicaSet') ?? 0) + (writes.get('patch Deployment') ?? 0)
  expect(statuses).toBeLessThan(8 * 40)
  writes.clear()
  await cluster.pass(3_600_000)
  expect([...writes.keys()]).toEqual(['patch Lease'])
  expect(writes.get('patch Lease')).toBeLessThanOrEqual(400 * 13)
})
