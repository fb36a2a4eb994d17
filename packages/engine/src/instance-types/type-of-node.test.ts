import { labels } from '@kerf/apis'
import { expect, test } from 'vitest'
import type { InstanceType, RequirementSpec } from '../instance-type.ts'
import { hasTypeLabel, typeOfNode } from './type-of-node.ts'

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })
const type = (name: string, ...requirements: readonly RequirementSpec[]): InstanceType => ({
  ...{ name, requirements, offerings: [], capacity: {}, overhead: {} },
})

const CPU = 'example.com/cpu'
const fixed = type('fixed', is(labels.instanceType, 'fixed'))
const small = type('flex.2', is(labels.instanceType, 'flex', 'flex.2'), is(CPU, '2'))
const large = type('flex.4', is(labels.instanceType, 'flex', 'flex.4'), is(CPU, '4'), is(labels.zone, 'a', 'b'))
const types = new Map([fixed, small, large].map((each) => [each.name, each]))

test.each<readonly [string, Readonly<Record<string, string>>, InstanceType | undefined]>([
  ['the name of the type', { [labels.instanceType]: 'fixed' }, fixed],
  ['the name of one size', { [labels.instanceType]: 'flex.4' }, large],
  ['the shared name and another label', { [labels.instanceType]: 'flex', [CPU]: '4' }, large],
  [
    'the shared name and a label with several values',
    { [labels.instanceType]: 'flex', [CPU]: '4', [labels.zone]: 'b' },
    large,
  ],
  ['only the shared name', { [labels.instanceType]: 'flex' }, small],
  ['the shared name and a size that is not offered', { [labels.instanceType]: 'flex', [CPU]: '8' }, undefined],
  ['another name', { [labels.instanceType]: 'other' }, undefined],
  ['no name', {}, undefined],
])('a node with %s', (_, nodeLabels, expected) => {
  expect(typeOfNode(types, nodeLabels)).toBe(expected)
})

test('the label of a node is either the name of its size or the shared name', () => {
  expect(['flex', 'flex.2', 'flex.4', undefined].map((value) => hasTypeLabel(small, value))).toEqual([
    ...[true, true, false, false],
  ])
})
