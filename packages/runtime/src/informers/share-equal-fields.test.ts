import type { Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { leanPod } from './projection.ts'
import { shareEqualFields } from './share-equal-fields.ts'

const owned = (name: string, owner: string, cpu = '1'): Pod =>
  structuredClone({
    ...pod(name, { labels: { app: owner }, requests: { cpu } }),
    metadata: {
      ...pod(name).metadata,
      labels: { app: owner },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true }],
    },
  })

test('pods of one owner share equal values, and keep different values', () => {
  const project = shareEqualFields(leanPod)
  const first = project(owned('a', 'web'))
  const second = project(owned('b', 'web'))
  const larger = project(owned('c', 'web', '2'))
  expect(second).toEqual(leanPod(owned('b', 'web')))
  expect(second.spec.containers).toBe(first.spec.containers)
  expect(second.metadata.labels).toBe(first.metadata.labels)
  expect(second.metadata.ownerReferences).toBe(first.metadata.ownerReferences)
  expect(larger).toEqual(leanPod(owned('c', 'web', '2')))
  expect(larger.spec.containers).not.toBe(first.spec.containers)
})

test('pods of different owners, or without an owner, share nothing', () => {
  const project = shareEqualFields(leanPod)
  const first = project(owned('a', 'web'))
  expect(project(owned('b', 'api')).spec.containers).not.toBe(first.spec.containers)
  const alone = project(pod('c'))
  expect(alone).toEqual(leanPod(pod('c')))
})

test('a field that the other pod lacks does not count as equal', () => {
  const project = shareEqualFields(leanPod)
  project(owned('a', 'web'))
  const bare = owned('b', 'web')
  const { labels: _labels, ...metadata } = bare.metadata
  const without = { ...bare, metadata }
  expect(project(without)).toEqual(leanPod(without))
})

test('equal conditions are shared one by one', () => {
  const project = shareEqualFields(leanPod)
  const ready = (name: string, at: string): Pod => ({
    ...owned(name, 'web'),
    status: {
      conditions: [
        { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
        { type: 'Ready', status: 'True', lastTransitionTime: at },
      ],
    },
  })
  const first = project(ready('a', '2026-01-01T00:00:01Z'))
  const second = project(ready('b', '2026-01-01T00:00:02Z'))
  expect(second).toEqual(leanPod(ready('b', '2026-01-01T00:00:02Z')))
  expect(second.status?.conditions?.[0]).toBe(first.status?.conditions?.[0])
  expect(second.status?.conditions?.[1]).not.toBe(first.status?.conditions?.[1])
})
