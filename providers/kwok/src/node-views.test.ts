import type { Node } from '@kerf/apis'
import { VirtualClock } from '@kerf/runtime'
import { node } from '@kerf/testing'
import { expect, test, vi } from 'vitest'
import { NODE_CLASS_LABEL, PROVIDER_ID_PREFIX } from './labels.ts'
import { NODES_PER_TURN, NodeViews } from './node-views.ts'

const instance = (name: string): Node =>
  node(name, { providerID: `${PROVIDER_ID_PREFIX}${name}`, labels: { [NODE_CLASS_LABEL]: 'default' } })
const { signal } = new AbortController()

test('the instances of many nodes are read in batches, and other work can run in between', async () => {
  const clock = new VirtualClock()
  const nodes = Array.from({ length: 2 * NODES_PER_TURN + 1 }, (_, index) => instance(`node-${index}`))
  const pauses = vi.spyOn(clock, 'timer')
  const views = new NodeViews(clock).of(nodes, signal)
  await clock.advance(0)
  expect(pauses).toHaveBeenCalledTimes(2)
  expect((await views).map(({ providerID }) => providerID)).toEqual(nodes.map(({ spec }) => spec.providerID))
})

test('a version of a node is parsed once; a later version is parsed again', async () => {
  const views = new NodeViews(new VirtualClock())
  const first = instance('node-0')
  const other = { ...first, spec: { ...first.spec, providerID: 'other:///zone/i-1' } }
  const [view] = await views.of([first, other], signal)
  expect(await views.of([first], signal)).toEqual([view])
  expect((await views.of([first], signal))[0]).toBe(view)
  const changed: Node = { ...first, status: { ...first.status, capacity: { cpu: '3' } } }
  expect((await views.of([changed], signal))[0]?.capacity).toEqual({ cpu: '3' })
})
