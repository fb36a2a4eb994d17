import { findCondition, type KubeObject, labels } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { node } from './node.ts'
import { nodeClaim } from './node-claim.ts'
import { nodePool } from './node-pool.ts'
import { pod } from './pod.ts'

const builders: Readonly<Record<string, (name: string) => KubeObject>> = {
  pod,
  node,
  nodePool,
  nodeClaim,
}

describe.each(Object.entries(builders))('%s', (_, build) => {
  test('returns an object with the metadata that the API server assigns', () => {
    const { name, uid, creationTimestamp } = build('a').metadata
    expect({ name, uid, creationTimestamp }).toEqual({
      name: 'a',
      uid: 'uid-a',
      creationTimestamp: '2026-01-01T00:00:00Z',
    })
  })

  test('returns the same object for the same arguments', () => {
    expect(build('a')).toEqual(build('a'))
    expect(build('a')).not.toEqual(build('b'))
  })
})

test('a pod is unschedulable until it has a node, and then it runs', () => {
  expect(pod('a').status).toMatchObject({ phase: 'Pending', conditions: [{ reason: 'Unschedulable' }] })
  expect(pod('a', { nodeName: 'node-1' })).toMatchObject({
    spec: { nodeName: 'node-1' },
    status: { phase: 'Running' },
  })
  expect(pod('a', { nodeName: 'node-1' }).status).toEqual({ phase: 'Running' })
  expect(pod('a', { spec: { nodeName: 'node-1' } }).status).toEqual({ phase: 'Running' })
  // The pod has failed but never had a node, so it still has the reason why it was unschedulable.
  expect(pod('a', { phase: 'Failed' }).status).toMatchObject({ conditions: [{ reason: 'Unschedulable' }] })
})

test('metadata in the options is merged with the generated metadata', () => {
  const { metadata } = pod('a', { namespace: 'shop', labels: { app: 'a' }, metadata: { uid: 'b', generation: 2 } })
  expect(metadata).toMatchObject({ name: 'a', namespace: 'shop', labels: { app: 'a' }, uid: 'b', generation: 2 })
})

test('a node is managed only if it has a pool', () => {
  expect(node('a').metadata.labels).toEqual({})
  expect(node('a', { pool: 'general' }).metadata.labels).toMatchObject({ [labels.nodePool]: 'general' })
})

test('a pool refers to its node class and is ready', () => {
  const pool = nodePool('general', { limits: { cpu: '10' }, templateSpec: { expireAfter: '1h' } })
  expect(findCondition(pool, 'Ready')?.status).toBe('True')
  expect(pool.spec.limits).toEqual({ cpu: '10' })
  expect(pool.spec.template.spec).toEqual({
    expireAfter: '1h',
    requirements: [],
    nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
  })
})

test('a claim has only the conditions in the options', () => {
  expect(nodeClaim('a').status).toEqual({})
  expect(nodeClaim('a', { pool: 'general', providerID: 'kwok://a' })).toMatchObject({
    metadata: { labels: { [labels.nodePool]: 'general' } },
    status: { providerID: 'kwok://a' },
  })
})
