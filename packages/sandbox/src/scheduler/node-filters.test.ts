import type { Node, NodeSelectorTerm, Taint } from '@kerf/apis'
import { node as buildNode } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { matchesNodeAffinity, preferredWeight, selectorMatches } from '../objects/node-affinity.ts'
import { untolerated } from '../objects/taints.ts'
import { portsConflict } from './host-ports.ts'

const node: Node = buildNode('one', { labels: { zone: 'z1', generation: '6', odd: 'seven' } })

describe('node affinity', () => {
  test.each<[string, NodeSelectorTerm, boolean]>([
    ['In', { matchExpressions: [{ key: 'zone', operator: 'In', values: ['z1', 'z2'] }] }, true],
    ['NotIn of an absent label', { matchExpressions: [{ key: 'none', operator: 'NotIn', values: ['a'] }] }, true],
    ['NotIn', { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['z1'] }] }, false],
    ['Exists', { matchExpressions: [{ key: 'zone', operator: 'Exists' }] }, true],
    ['DoesNotExist', { matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] }, false],
    ['Gt', { matchExpressions: [{ key: 'generation', operator: 'Gt', values: ['5'] }] }, true],
    ['Gt is strict', { matchExpressions: [{ key: 'generation', operator: 'Gt', values: ['6'] }] }, false],
    ['Lt', { matchExpressions: [{ key: 'generation', operator: 'Lt', values: ['7'] }] }, true],
    ['Gt of what is no number', { matchExpressions: [{ key: 'odd', operator: 'Gt', values: ['1'] }] }, false],
    ['a field', { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['one'] }] }, true],
    ['a term without anything', {}, false],
    [
      'all of a term',
      {
        matchExpressions: [{ key: 'zone', operator: 'Exists' }],
        matchFields: [{ key: 'metadata.name', operator: 'In', values: ['two'] }],
      },
      false,
    ],
  ])('%s', (_, term, expected) => {
    expect(selectorMatches({ nodeSelectorTerms: [term] }, node)).toBe(expected)
  })

  test('one term must match, and the node selector must match too', () => {
    const wrong = { matchExpressions: [{ key: 'zone', operator: 'In' as const, values: ['z9'] }] }
    const right = { matchExpressions: [{ key: 'zone', operator: 'In' as const, values: ['z1'] }] }
    const required = { nodeSelectorTerms: [wrong, right] }
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } }
    expect(matchesNodeAffinity({ containers: [], affinity }, node)).toBe(true)
    expect(matchesNodeAffinity({ containers: [], affinity, nodeSelector: { generation: '7' } }, node)).toBe(false)
    const preferred = [
      { weight: 10, preference: right },
      { weight: 5, preference: wrong },
    ]
    const wishes = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } }
    expect(preferredWeight({ containers: [], affinity: wishes }, node)).toBe(10)
  })
})

const gpu: Taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' }

test('only taints with the given effects exclude a pod', () => {
  const soft: Taint = { key: 'old', effect: 'PreferNoSchedule' }
  expect(untolerated([soft], undefined, ['NoSchedule', 'NoExecute'])).toBeUndefined()
  expect(untolerated([soft, gpu], undefined, ['NoSchedule', 'NoExecute'])).toBe(gpu)
  expect(untolerated([gpu], [{ key: 'gpu', operator: 'Exists' }], ['NoSchedule'])).toBeUndefined()
})

test('host ports conflict on the same address, protocol and port', () => {
  const port = { ip: '0.0.0.0', protocol: 'TCP', port: 80 }
  expect(portsConflict(port, { ...port, ip: '10.0.0.1' })).toBe(true)
  expect(portsConflict({ ...port, ip: '10.0.0.2' }, { ...port, ip: '10.0.0.1' })).toBe(false)
  expect(portsConflict(port, { ...port, protocol: 'UDP' })).toBe(false)
  expect(portsConflict(port, { ...port, port: 81 })).toBe(false)
})
