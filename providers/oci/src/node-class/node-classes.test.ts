import { crdManifests, resourceAdmission } from '@kerf/apis'
import { checkCase, clientView, crdProblems, libraryTarget, noCrdProblems } from '@kerf/apis/conformance'
import { expect, test } from 'vitest'
import { communityNodeClassCases } from '../testing/community-node-class-cases.ts'
import { oracleNodeClassCases } from '../testing/oracle-node-class-cases.ts'
import { communityNodeClassResource } from './community-node-class.ts'
import { oracleNodeClassResource } from './oracle-node-class.ts'

test.each(communityNodeClassCases())('$name', async (each) => {
  expect(await checkCase(libraryTarget(resourceAdmission(communityNodeClassResource)), each)).toBeUndefined()
})

test.each(oracleNodeClassCases())('$name', async (each) => {
  expect(await checkCase(libraryTarget(resourceAdmission(oracleNodeClassResource)), each)).toBeUndefined()
})

test('both kinds have the names, columns and subresources that clients expect', () => {
  const names = ['Cluster', ['ocinc', 'ocincs'], ['karpenter'], { status: {} }]
  const views = crdManifests({ resources: [communityNodeClassResource] }).concat(
    crdManifests({ resources: [oracleNodeClassResource] }),
  )
  expect(views.map((crd) => clientView(crd))).toEqual([
    ['OciNodeClass', 'v1alpha1', ...names, []],
    [
      'OCINodeClass',
      'v1beta1',
      ...names,
      ['Ready|string|.status.conditions[?(@.type=="Ready")].status|0', 'Age|date|.metadata.creationTimestamp|0'],
    ],
  ])
})

test('both CRDs have descriptions and complete lists', () => {
  for (const resource of [communityNodeClassResource, oracleNodeClassResource])
    for (const file of crdManifests({ resources: [resource] })) expect(crdProblems(file)).toEqual(noCrdProblems)
})
