import { isNightly } from '@kerf/testing'
import { expect, test } from 'vitest'
import type { ApiCall } from '../api/interceptor.ts'
import { deployment, node, VirtualCluster } from '../testing/virtual-cluster.ts'

const NODES = isNightly() ? 400 : 80
const PODS = 10 * NODES

test('starting pods takes three writes per pod, and an idle cluster renews one Lease per node', async () => {
  const writes = new Map<string, number>()
  const before = ({ verb, kind }: ApiCall): void => {
    if (['get', 'list', 'watch'].includes(verb)) return
    const name = verb === 'bind' ? 'bind' : `${verb} ${kind?.kind}`
    writes.set(name, (writes.get(name) ?? 0) + 1)
  }
  await using cluster = await VirtualCluster.start({ events: false, interceptor: { before } })
  for (let index = 0; index < NODES; index++) await cluster.apply(node(`node-${index}`, { cpu: '16', memory: '64Gi' }))
  await cluster.settle()
  for (let index = 0; index < 8; index++)
    await cluster.apply(deployment(`app-${index}`, PODS / 8, { cpu: '1', memory: '1Gi' }))
  await cluster.settle()
  expect(cluster.pods().filter((pod) => pod.status?.phase === 'Running')).toHaveLength(PODS)
  expect(cluster.cluster.scheduler?.attempts).toBe(PODS)
  expect(Object.fromEntries([...writes].filter(([name]) => name === 'bind' || name.endsWith('Pod')))).toEqual({
    'create Pod': PODS,
    bind: PODS,
    'patch Pod': PODS,
  })
  const statuses = (writes.get('patch ReplicaSet') ?? 0) + (writes.get('patch Deployment') ?? 0)
  expect(statuses).toBeLessThan(8 * 40)
  writes.clear()
  await cluster.pass(3_600_000)
  expect([...writes.keys()]).toEqual(['patch Lease'])
  expect(writes.get('patch Lease')).toBeLessThanOrEqual(NODES * 13)
})
