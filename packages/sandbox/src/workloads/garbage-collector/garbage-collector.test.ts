import { kinds, type ResourceKind } from '@kerf/apis'
import { expect, test } from 'vitest'
import { deployment, node, VirtualCluster } from '../../testing/virtual-cluster.ts'

test('deleting a deployment deletes its dependents, orphaning keeps them, and foreground waits for them', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(node('a'), deployment('gone', 2, {}), deployment('kept', 2, {}), deployment('last', 2, {}))
  await cluster.settle()
  const remove = async (name: string, propagationPolicy: 'Background' | 'Orphan' | 'Foreground') =>
    await cluster.client.delete(kinds.Deployment, { namespace: 'default', name }, { propagationPolicy })
  await remove('gone', 'Background')
  await remove('kept', 'Orphan')
  await remove('last', 'Foreground')
  expect((await cluster.get(kinds.Deployment, 'last')).metadata.deletionTimestamp).toBeDefined()
  await cluster.settle()
  expect(cluster.list(kinds.Deployment)).toEqual([])
  expect(cluster.list(kinds.ReplicaSet).map((set) => set.metadata.labels?.['app'])).toEqual(['kept'])
  expect(cluster.list(kinds.ReplicaSet)[0]?.metadata.ownerReferences ?? []).toEqual([])
  expect(cluster.pods().map((pod) => pod.metadata.labels?.['app'])).toEqual(['kept', 'kept'])
})

test('custom resources can be owners, including those defined after the start', async () => {
  await using cluster = await VirtualCluster.start()
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  await cluster.apply({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    ...{
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    },
  })
  await cluster.settle()
  const widgets: ResourceKind = {
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    plural: 'widgets',
    namespaced: true,
  }
  const namespace = 'default'
  const parent = await cluster.client.create(widgets, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'parent', namespace },
  })
  const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'parent', uid: parent.metadata.uid ?? '' }
  const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'child', ownerReferences: [owner] } }
  const stranger = { ...owner, uid: '00000000-0000-0000-0000-000000000000' }
  await cluster.apply(child, { ...child, metadata: { name: 'foundling', ownerReferences: [stranger] } })
  await cluster.pass(1000)
  const names = async () =>
    (await cluster.client.list(kinds.ConfigMap, { namespace })).items.map((object) => object.metadata.name)
  expect(await names()).toEqual(['child'])
  await cluster.client.delete(widgets, { namespace, name: 'parent' }, { propagationPolicy: 'Foreground' })
  await cluster.pass(1000)
  expect(await names()).toEqual([])
  expect((await cluster.client.list(widgets, { namespace })).items).toEqual([])
})
