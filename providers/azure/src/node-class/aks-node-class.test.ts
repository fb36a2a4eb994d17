import { crdManifests, resourceAdmission } from '@kerf/apis'
import { checkCase, clientView, libraryTarget } from '@kerf/apis/conformance'
import { expect, test } from 'vitest'
import { aksNodeClassCases } from '../testing/aks-node-class-cases.ts'
import { aksNodeClassResource } from './aks-node-class.ts'

const [crd] = crdManifests({ resources: [aksNodeClassResource] })
if (crd === undefined) throw new Error('no definition')

test.each(aksNodeClassCases())('$name', async (each) => {
  expect(await checkCase(libraryTarget(resourceAdmission(aksNodeClassResource)), each)).toBeUndefined()
})

test('the resource has the names, columns and subresources that clients expect', () => {
  expect(clientView(crd)).toMatchInlineSnapshot(`
    [
      "AKSNodeClass",
      "v1beta1",
      "Cluster",
      [
        "aksnc",
        "aksncs",
      ],
      [
        "karpenter",
        "nap",
      ],
      {
        "status": {},
      },
      [
        "Ready|string|.status.conditions[?(@.type=="Ready")].status|0",
        "Age|date|.metadata.creationTimestamp|0",
        "ImageFamily|string|.spec.imageFamily|1",
      ],
    ]
  `)
})

test('the older version is served with a warning, and with the same schema', () => {
  const { versions } = crd.manifest.spec
  expect(versions.map(({ name, served, storage, deprecated }) => [name, served, storage, deprecated])).toEqual([
    ['v1beta1', true, true, undefined],
    ['v1alpha2', true, false, true],
  ])
  const [current, older] = versions.map(({ schema }) => schema.openAPIV3Schema.properties)
  expect(older?.['spec']).toEqual(current?.['spec'])
  expect(older?.['status']).toEqual(current?.['status'])
})
