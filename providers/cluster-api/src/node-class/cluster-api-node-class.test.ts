import { crdManifests, resourceAdmission } from '@kerf/apis'
import { checkCase, clientView, libraryTarget } from '@kerf/apis/conformance'
import { expect, test } from 'vitest'
import { clusterApiNodeClassCases } from '../testing/cluster-api-node-class-cases.ts'
import { clusterApiNodeClassResource } from './cluster-api-node-class.ts'

test.each(clusterApiNodeClassCases())('$name', async (each) => {
  expect(await checkCase(libraryTarget(resourceAdmission(clusterApiNodeClassResource)), each)).toBeUndefined()
})

test('the resource has the names, columns and subresources that clients expect', () => {
  expect(crdManifests({ resources: [clusterApiNodeClassResource] }).map(clientView)).toMatchInlineSnapshot(`
    [
      [
        "ClusterAPINodeClass",
        "v1alpha1",
        "Cluster",
        [
          "capinc",
          "capincs",
        ],
        [
          "karpenter",
        ],
        {
          "status": {},
        },
        [
          "Ready|string|.status.conditions[?(@.type=="Ready")].status|0",
          "Age|date|.metadata.creationTimestamp|0",
        ],
      ],
    ]
  `)
})
