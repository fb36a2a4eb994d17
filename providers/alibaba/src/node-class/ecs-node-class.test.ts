import { crdManifests, resourceAdmission } from '@kerf/apis'
import { checkCase, clientView, libraryTarget } from '@kerf/apis/conformance'
import { expect, test } from 'vitest'
import { ecsNodeClassCases } from '../testing/ecs-node-class-cases.ts'
import { ecsNodeClassResource } from './ecs-node-class.ts'

const [crd] = crdManifests({ resources: [ecsNodeClassResource] })
if (crd === undefined) throw new Error('no definition')

test.each(ecsNodeClassCases())('$name', async (each) => {
  expect(await checkCase(libraryTarget(resourceAdmission(ecsNodeClassResource)), each)).toBeUndefined()
})

test('the resource has the names, columns and subresources that clients expect', () => {
  expect(clientView(crd)).toMatchInlineSnapshot(`
    [
      "ECSNodeClass",
      "v1alpha1",
      "Cluster",
      [
        "ecsnc",
        "ecsncs",
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
    ]
  `)
})
