import { crdManifests } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { classChange } from '../../../packages/dashboard/plugin/src/model/class-change.ts'
import { checkText, compiled, editorText, schemaOfCrd } from '../../../packages/dashboard/plugin/src/model/editing.ts'
import { clusterApiNodeClassResource } from '../src/node-class/cluster-api-node-class.ts'
import { clusterApiNodeClass } from '../src/testing/cluster-api-node-class.ts'

describe('the editor of a ClusterAPINodeClass', () => {
  const [file] = crdManifests({ resources: [clusterApiNodeClassResource] })
  const schemaOfClass = compiled(schemaOfCrd(file?.manifest, 'v1alpha1'))
  const nodeClass = clusterApiNodeClass('default', {
    spec: {
      scalableResourceSelector: {
        matchLabels: { 'node.cluster.x-k8s.io/karpenter-member': '' },
        matchExpressions: [{ key: 'tier', operator: 'In', values: ['a'] }],
      },
    },
  })

  test('accepts a class that is valid by the CRD', () => {
    expect(checkText(editorText(nodeClass), schemaOfClass, nodeClass).problems).toEqual([])
  })

  test.each([
    ['matchLabels', 'matchLabel', 'matchLabel', 'unknown field'],
    ['operator: In', 'operators: In', 'tier', 'Required value'],
    ['- a', '- [a]', '- [a]', 'Invalid value'],
  ])('reports the line if %s is %s', (from, to, near, message) => {
    const edited = editorText(nodeClass).replace(from, to)
    const { problems } = checkText(edited, schemaOfClass, nodeClass)
    const line = edited.split('\n').findIndex((each) => each.includes(near)) + 1
    expect(problems.find((problem) => problem.message.includes(message))?.line).toBe(line)
  })

  test('an edit of the selector makes claims drift only if something else is selected', () => {
    const claim = {
      metadata: { name: 'c' },
      spec: { nodeClassRef: { group: 'karpenter.cluster.x-k8s.io', kind: 'ClusterAPINodeClass', name: 'default' } },
    }
    const edited = { ...nodeClass, spec: { scalableResourceSelector: { matchLabels: { team: 'x' } } } }
    const change = classChange(nodeClass, edited, 'karpenter.cluster.x-k8s.io', 'ClusterAPINodeClass', [claim])
    expect(change).toMatchObject({ fields: ['scalableResourceSelector'], effect: 'may-drift' })
  })
})
