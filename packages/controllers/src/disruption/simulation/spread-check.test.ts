import { type Pod, parseResources } from '@kerf/apis'
import type { InstanceType, NodeState, PlannedClaim } from '@kerf/engine'
import { pod as buildPod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import type { Candidate } from '../candidates/candidate.ts'
import { sumRequests } from '../candidates/resource-amounts.ts'
import { holdsSpread } from './spread-check.ts'

const pod = (name: string, cpu: string): Pod => buildPod(name, { requests: { cpu }, metadata: { uid: name } })
const room = (cpu: string) => parseResources({ cpu, memory: '64Gi', pods: '110' })
const type = (cpu: string): InstanceType => ({
  name: `of-${cpu}`,
  requirements: [],
  offerings: [],
  capacity: room(cpu),
  overhead: {},
})

/**
 * Creates a move of a node with one large and two small pods. The plan places the pods in `onNew` on a new node, and the other pods on a
 * node whose free capacity is `gap`.
 */
const move = (gap: string, onNew: readonly string[]) => {
  const pods = [pod('large', '4'), pod('small-1', '1'), pod('small-2', '1')]
  const taken = pod('there', '14')
  const other = { name: 'other', allocatable: room(gap), pods: [taken] } as unknown as NodeState
  const isOnNew = ({ metadata }: Pod): boolean => onNew.includes(metadata.name)
  const inGap = pods.filter((each) => !isOnNew(each))
  return {
    candidates: [{ reschedulable: pods } as unknown as Candidate],
    simulation: {
      placements: inGap.length === 0 ? [] : [{ node: 'other', pods: inGap }],
      nodes: new Map([['other', other]]),
    },
    claim: {
      pods: pods.filter(isOnNew),
      requests: Object.fromEntries(sumRequests(pods.filter(isOnNew))),
    } as unknown as PlannedClaim,
  }
}
const holds = ({ candidates, simulation, claim }: ReturnType<typeof move>, cpu: string): boolean =>
  holdsSpread(candidates, simulation, claim, type(cpu))

describe('a move that needs a new node', () => {
  test('works if all pods are planned on the new node', () => {
    expect(holds(move('16', ['large', 'small-1', 'small-2']), '6')).toBe(true)
  })

  test('does not rely on free capacity that fits only some of the pods', () => {
    expect(holds(move('16', ['large']), '4')).toBe(false)
  })

  test('works if the pods fit in any distribution', () => {
    expect(holds(move('16', ['large']), '6')).toBe(true)
    expect(holds(move('24', ['large']), '4')).toBe(true)
  })
})
