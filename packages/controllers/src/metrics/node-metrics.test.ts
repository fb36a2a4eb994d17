import { kinds } from '@kerf/apis'
import { node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { manualState } from '../testing/by-hand/manual-state.ts'
import { NodeMetrics } from './node-metrics.ts'

const NODES = 450

test('the series of many nodes are written in steps of a few nodes, and the totals include all nodes', async () => {
  const { deps, state, informers, clock } = manualState()
  const nodeNamed = (nth: number) => {
    const amounts = { cpu: '4', memory: '8Gi', pods: '110' }
    return node(`n-${nth}`, { providerID: `sim:///a/i-${nth}`, capacity: amounts })
  }
  for (let nth = 0; nth < NODES; nth++) informers.put(kinds.Node, nodeNamed(nth))
  const { reconcile } = new NodeMetrics(deps, state).controller()
  const { signal } = new AbortController()
  const written = async (): Promise<number> =>
    new Set((await deps.metrics.series('karpenter_nodes_allocatable')).map(({ labels }) => labels['node_name'])).size
  const utilization = async (): Promise<readonly (readonly [string | undefined, number])[]> =>
    (await deps.metrics.series('karpenter_cluster_utilization_percent')).map(({ labels, value }) => [
      labels['resource_type'],
      value,
    ])

  const seen: Promise<number>[] = []
  const look = (): void => {
    seen.push(written())
    if (seen.length < 10) clock.timer(0, look)
  }
  const done = reconcile('', signal)
  clock.timer(0, look)
  await clock.advance(0)
  await done
  const sizes = await Promise.all(seen)
  expect([99, ...sizes].every((size, nth, all) => size - (all[nth - 1] ?? 0) <= 100)).toBe(true)
  expect(sizes.at(-1)).toBe(NODES)
  expect(await utilization()).toContainEqual(['cpu', 0])

  for (let nth = 0; nth < NODES; nth++) informers.delete(kinds.Node, `n-${nth}`)
  const gone = reconcile('', signal)
  await clock.advance(0)
  await gone
  expect(await written()).toBe(0)
})
