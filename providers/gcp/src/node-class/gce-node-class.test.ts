import { crdManifests, resourceAdmission } from '@kerf/apis'
import { checkCase, clientView, libraryTarget } from '@kerf/apis/conformance'
import { expect, test } from 'vitest'
import { gceNodeClassCases } from '../testing/gce-node-class-cases.ts'
import { gceNodeClassResource } from './gce-node-class.ts'

const [crd] = crdManifests({ resources: [gceNodeClassResource] })
if (crd === undefined) throw new Error('no definition')

test.each(gceNodeClassCases())('$name', async (each) => {
  expect(await checkCase(libraryTarget(resourceAdmission(gceNodeClassResource)), each)).toBeUndefined()
})

test('the resource has the names, columns and subresources that clients expect', () => {
  expect(clientView(crd)).toEqual([
    'GCENodeClass',
    'v1alpha1',
    'Cluster',
    ['gcenc', 'gcencs'],
    ['karpenter'],
    { status: {} },
    ['Ready|string|.status.conditions[?(@.type=="Ready")].status|0', 'Age|date|.metadata.creationTimestamp|0'],
  ])
})
