import type { Pod } from '@kerf/apis'
import { expect, test } from 'vitest'
import { modelInSteps } from '../improvement/model.ts'
import { Run } from '../packing/packing-run.ts'
import { inQueueOrder } from '../packing/queue.ts'
import { buildProblem } from '../problem/problem.ts'
import { NODES } from '../snapshot.ts'
import { cluster, instanceType, replicas } from '../testing/cluster-builders.ts'
import { costBound } from './cost-bound.ts'
import { leastCost } from './least-cost.ts'

/** Each node has capacity for one pod. */
const { snapshot, options } = cluster().pool('general', { types: [instanceType('m-2', 2, '8Gi', 0.1)] })
const pods = replicas(1_050, 'p', { cpu: '1500m' })

test('no step reads more than 250 pods', () => {
  let read = new Set<Pod>()
  const told = pods.map((pod) => {
    const { spec } = pod
    const watched: Pod = {
      ...pod,
      get spec() {
        read.add(watched)
        return spec
      },
    }
    return watched
  })
  const reads: number[] = []
  const steps = costBound(snapshot, told, options)
  for (let isOver = false; !isOver; ) {
    read = new Set()
    isOver = steps.next().done === true
    reads.push(read.size)
  }
  expect(Math.max(...reads)).toBe(250)
})

test('a step of the model reads a hundred claims', () => {
  const problem = buildProblem(snapshot, pods, options)
  const run = new Run(problem)
  run.solve(inQueueOrder(problem.table, problem.pods))
  expect(run.claims.size).toBe(1_050)
  let steps = 0
  const model = modelInSteps(run)
  for (;;) {
    const { done, value } = model.next()
    steps += 1
    if (done !== true) continue
    expect(value?.claims).toHaveLength(1_050)
    break
  }
  expect(steps).toBe(11)
})

test('ceilings, which count existing nodes, do not change the least cost', () => {
  const few = pods.slice(0, 3)
  const least = leastCost(snapshot, few, options)
  expect(least.kind).toBe('known')
  const ceilings = { most: new Map([[NODES, 3_000_000_000n]]), free: new Map([[NODES, 0n]]), surge: 0 }
  expect(leastCost({ ...snapshot, ceilings }, few, options)).toEqual(least)
})
