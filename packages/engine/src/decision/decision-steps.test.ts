import { awayFrom, running } from '@kerf/testing'
import { expect, test } from 'vitest'
import { atOnce } from '../steps.ts'
import { cluster, HOST, node, pod, replicas } from '../testing/cluster-builders.ts'
import { schedule, scheduleInSteps } from '../testing/core-labels.ts'

test('a decision in a large cluster runs in steps, and decisions in between do not change it', () => {
  const nodes = Array.from({ length: 700 }, (_, i) =>
    node(`n-${i}`, {
      pods: [running(`n-${i}`, pod(`web-${i}`, { cpu: '1', labels: { app: 'web' }, spec: awayFrom(HOST, 'web') }))],
    }),
  )
  const { snapshot } = cluster()
    .pool('general')
    .nodes(...nodes)
  const waiting = [...replicas(1_200, 'api', { cpu: '100m' }), ...replicas(3, 'large', { cpu: '4000' })]
  const other = cluster().pool('general').nodes(node('other')).snapshot
  const steps = scheduleInSteps(snapshot, waiting, { planBudget: 0 })
  let count = 0
  let plan = steps.next()
  for (; plan.done !== true; plan = steps.next()) {
    count++
    expect(schedule(other, replicas(3, 'api')).unschedulable).toEqual([])
  }
  expect(plan.value).toEqual(schedule(snapshot, waiting, { planBudget: 0 }))
  expect(plan.value.unschedulable).toHaveLength(3)
  // The decision takes these steps: 2 of 250 nodes each to find the pods of the batch, and 2 to read them; 1 for the 1,000 pods; 5 for the
  // topology, the groups, the table of nodes and the planned pods; 2 for nodes with anti-affinity, and 2 to count their pods; 1 for the
  // placed pods. A second pass places the remaining pods. It is too small to add a step.
  expect(count).toBe(2 + 2 + 1 + 5 + 2 + 2 + 1)
})

test('a small decision is one step', () => {
  const { snapshot } = cluster().pool('general').nodes(node('one'))
  expect(scheduleInSteps(snapshot, replicas(30, 'api')).next().done).toBe(true)
  expect(atOnce(scheduleInSteps(snapshot, replicas(30, 'api')))).toEqual(schedule(snapshot, replicas(30, 'api')))
})
