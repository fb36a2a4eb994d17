import { crdManifests, resourceAdmission } from '@kerf/apis'
import { checkCase, clientView, libraryTarget } from '@kerf/apis/conformance'
import { expect, test } from 'vitest'
import { kwokNodeClassCases } from '../testing/kwok-node-class-cases.ts'
import { kwokNodeClassResource } from './kwok-node-class.ts'

test.each(kwokNodeClassCases())('$name', async (each) => {
  expect(await checkCase(libraryTarget(resourceAdmission(kwokNodeClassResource)), each)).toBeUndefined()
})

test('the resource has the names, columns and subresources that clients expect', () => {
  expect(crdManifests({ resources: [kwokNodeClassResource] }).map(clientView)).toMatchInlineSnapshot(`
    [
      [
        "KWOKNodeClass",
        "v1alpha1",
        "Cluster",
        [
          "kwoknc",
          "kwokncs",
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
