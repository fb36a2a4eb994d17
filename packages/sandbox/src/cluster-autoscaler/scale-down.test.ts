import { node, pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { autoscalerOptions } from './options.ts'
import { Packing } from './packing.ts'
import { ScaleDownPlanner } from './scale-down.ts'
import type { ScaledGroup } from './scaled-group.ts'

const MINUTE = 60_000
const OWNER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web', controller: true }

const groupOf = (min: number, size: number): ScaledGroup => ({
  ...{ name: 'group', min, max: 10, size },
  template: { labels: {}, taints: [], capacity: {}, allocatable: {} },
  grow: () => Promise.reject(new Error('not expected')),
  shrink: () => Promise.reject(new Error('not expected')),
  isOwn: () => true,
})

/**
 * Returns the names of the nodes that are removed after eleven minutes. `used` contains the nodes with a pod. `inProgress` is the number of
 * earlier removals that have not finished.
 */
const removed = (group: ScaledGroup, used: readonly string[], inProgress = 0) => {
  const nodes = Array.from({ length: group.size - inProgress }, (_, index) =>
    node(`n${index}`, { status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } } }),
  )
  const planner = new ScaleDownPlanner(autoscalerOptions({}))
  for (const now of [0, 11 * MINUTE]) {
    const packing = new Packing()
    for (const each of nodes) {
      const pods = used.includes(each.metadata.name)
        ? [pod(`on-${each.metadata.name}`, { requests: { cpu: '1' }, metadata: { ownerReferences: [OWNER] } })]
        : []
      packing.add(each, pods)
    }
    const destinations = new Set(nodes.map(({ metadata }) => metadata.name))
    planner.update(packing, {
      candidates: nodes.map((each) => ({ node: each, group })),
      destinations,
      budgets: [],
      now,
    })
  }
  const { empty, drain } = planner.removable(11 * MINUTE, {
    empty: inProgress,
    drained: 0,
    byGroup: new Map([[group, inProgress]]),
  })
  const names = (list: typeof empty) => list.map((each) => each.node.metadata.name)
  return { empty: names(empty), drain: names(drain) }
}

test('all empty nodes are removed together, down to the minimum size of the group', () => {
  expect(removed(groupOf(0, 3), [])).toEqual({ empty: ['n0', 'n1', 'n2'], drain: [] })
  expect(removed(groupOf(2, 3), [])).toEqual({ empty: ['n0'], drain: [] })
})

test('nodes whose removal has begun count as gone', () => {
  expect(removed(groupOf(2, 4), [], 1)).toEqual({ empty: ['n0'], drain: [] })
  expect(removed(groupOf(2, 4), [], 2)).toEqual({ empty: [], drain: [] })
})

test('one node with pods is removed at a time, and only if no empty node is removed', () => {
  expect(removed(groupOf(0, 3), ['n0', 'n1', 'n2'])).toEqual({ empty: [], drain: ['n0'] })
  expect(removed(groupOf(0, 3), ['n1', 'n2'])).toEqual({ empty: ['n0'], drain: [] })
})
