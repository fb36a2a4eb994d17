import { kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { deployment, node, VirtualCluster } from '../../testing/virtual-cluster.ts'

test('deleting a namespace deletes its contents', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, node('a'))
  await cluster.settle()
  expect(cluster.list(kinds.ServiceAccount).map((one) => one.metadata.namespace)).toContain('shop')
  const web = deployment('web', 2, {})
  await cluster.apply({ ...web, metadata: { ...web.metadata, namespace: 'shop' } })
  await cluster.settle()
  await cluster.client.delete(kinds.Namespace, { name: 'shop' })
  await cluster.settle()
  expect(cluster.list(kinds.Namespace).map((one) => one.metadata.name)).not.toContain('shop')
  expect(cluster.pods()).toEqual([])
})
