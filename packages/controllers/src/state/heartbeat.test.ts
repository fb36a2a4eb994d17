import { kinds, type Node, type NodeStatus } from '@kerf/apis'
import { condition, node } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { manualState } from '../testing/by-hand/manual-state.ts'

const EARLIER = '2026-01-01T00:00:00Z'
const LATER = '2026-01-01T00:05:00Z'
const ready = { ...condition('Ready'), lastHeartbeatTime: EARLIER }

const reported = (resourceVersion: string, status: Partial<NodeStatus>, over: Partial<Node['metadata']> = {}): Node =>
  node('a', {
    providerID: 'kwok://a',
    metadata: { resourceVersion, ...over },
    status: { allocatable: { cpu: '4' }, conditions: [ready], ...status },
  })

/** Applies two reports of a Node. Returns cluster state, and the values that were derived before the second report. */
const after = (second: Node) => {
  const { informers, state } = manualState()
  informers.put(kinds.Node, reported('1', {}))
  const known = state.byNodeName('a')
  const before = { version: state.version, ofNode: known?.version, view: known?.view }
  informers.put(kinds.Node, second)
  return { state, known, before }
}

describe('a report of a kubelet', () => {
  test('is not a change if its content is equal, but the newer Node is stored', () => {
    const second = reported('2', { conditions: [{ ...ready, lastHeartbeatTime: LATER }] })
    const { state, known, before } = after(second)
    expect({ version: state.version, ofNode: known?.version, view: known?.view }).toEqual(before)
    expect(known?.view).toBe(before.view)
    expect(known?.node).toBe(second)
  })

  test.each<[string, Node]>([
    ['a condition', reported('2', { conditions: [{ ...ready, status: 'Unknown' }] })],
    ['the transition time of a condition', reported('2', { conditions: [{ ...ready, lastTransitionTime: LATER }] })],
    ['the number of conditions', reported('2', { conditions: [ready, condition('DiskPressure')] })],
    ['the conditions to an empty list', reported('2', { conditions: [] })],
    ['an amount', reported('2', { allocatable: { cpu: '3' } })],
    ['a label', reported('2', {}, { labels: { team: 'x' } })],
    ['an annotation', reported('2', {}, { annotations: { note: 'x' } })],
    ['the deletionTimestamp', reported('2', {}, { deletionTimestamp: LATER })],
    [
      'a taint',
      { ...reported('2', {}), spec: { providerID: 'kwok://a', taints: [{ key: 'x', effect: 'NoSchedule' }] } },
    ],
    ['an unknown field', { ...reported('2', {}), spec: { providerID: 'kwok://a', new: 'x' } } as Node],
  ])('is a change if it changes %s', (_what, second) => {
    const { state, known, before } = after(second)
    expect(state.version).toBeGreaterThan(before.version)
    expect(known?.version).not.toBe(before.ofNode)
    expect(known?.node).toBe(second)
  })

  test('is a change if it comes from a new node of the same name', () => {
    const { state, before } = after(node('a', { providerID: 'kwok://b' }))
    expect(state.version).toBeGreaterThan(before.version)
    expect(state.byProviderID('kwok://a')).toBeUndefined()
  })
})
