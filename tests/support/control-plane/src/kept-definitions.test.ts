import { expect, test } from 'vitest'
import { callCluster } from './access.ts'
import { KeptDefinitions } from './kept-definitions.ts'
import { resetCluster } from './reset.ts'
import { describeOnCluster } from './testing.ts'

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.kept.example' },
  spec: {
    group: 'kept.example',
    scope: 'Cluster',
    names: { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
}

const WIDGETS = '/apis/kept.example/v1/widgets'

describeOnCluster('custom resources of a lent control plane', (cluster) => {
  test('definitions stay while their objects are deleted, until someone changes a definition', async () => {
    const kept = new KeptDefinitions()
    expect(await kept.unchanged(cluster())).toEqual(new Set())

    await kept.install(cluster(), [definition])
    const widget = { apiVersion: 'kept.example/v1', kind: 'Widget', metadata: { name: 'one', finalizers: ['a.b/c'] } }
    expect((await callCluster(cluster(), 'POST', WIDGETS, widget)).status).toBe(201)
    await resetCluster(cluster(), await kept.unchanged(cluster()))
    expect(kept.areThere).toBe(true)
    expect(await callCluster(cluster(), 'GET', WIDGETS)).toMatchObject({ status: 200, body: { items: [] } })

    const labelled = await cluster().kubectl(['label', 'crd', 'widgets.kept.example', 'changed=true'])
    expect(labelled.code).toBe(0)
    await resetCluster(cluster(), await kept.unchanged(cluster()))
    expect(kept.areThere).toBe(false)
    expect((await callCluster(cluster(), 'GET', WIDGETS)).status).toBe(404)
  })
})
