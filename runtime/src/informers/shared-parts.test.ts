import type { Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { leanPod } from './projection.ts'
import { sharedParts } from './shared-parts.ts'

const owned = (name: string, owner: string, cpu = '1'): Pod =>
  structuredClone({
    ...pod(name, { labels: { app: owner }, requests: { cpu } }),
    metadata: {
      ...pod(name).metadata,
      labels: { app: owner },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true }],
    },
  })

test('pods of one owner share what is the same, and keep what is not', () => {
  const project = sharedParts(leanPod)
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

test('pods of different owners, or of none, share nothing', () => {
  const project = sharedParts(leanPod)
  const first = project(owned('a', 'web'))
  expect(project(owned('b', 'api')).spec.containers).not.toBe(first.spec.containers)
  const alone = project(pod('c'))
  expect(alone).toEqual(leanPod(pod('c')))
})

test('a part that the other pod does not have is not taken for the same', () => {
  const project = sharedParts(leanPod)
  project(owned('a', 'web'))
  const bare = owned('b', 'web')
  const { labels: _labels, ...metadata } = bare.metadata
  const without = { ...bare, metadata }
  expect(project(without)).toEqual(leanPod(without))
})
