import type { PodSpec } from '@kerf/apis'
import { expect, test } from 'vitest'
import { askedLabels, labelText } from './missing-labels.ts'

type Asked = readonly [key: string, operator: string, ...values: readonly string[]]

const asked = (terms: readonly (readonly Asked[])[], nodeSelector: Readonly<Record<string, string>> = {}) => {
  const nodeSelectorTerms = terms.map((term) => ({
    matchExpressions: term.map(([key, operator, ...values]) => ({ key, operator, values })),
  }))
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } }
  return askedLabels({ containers: [], nodeSelector, affinity } as unknown as PodSpec).map(labelText)
}

test('returns the labels in the node selector and the labels that every affinity term requires', () => {
  expect(asked([], { disk: 'ssd' })).toEqual(['disk=ssd'])
  expect(asked([[['a', 'In', '1', '2']]])).toEqual(['a in (1, 2)'])
  // Only one of the two terms requires the label.
  expect(asked([[['a', 'In', '1']], [['b', 'In', '1']]])).toEqual([])
  expect(asked([[['a', 'In', '1']], [['a', 'In', '1', '2']]])).toEqual(['a in (1, 2)'])
  expect(asked([[['a', 'In', '1']], [['a', 'Exists']]])).toEqual(['a'])
  expect(
    asked([
      [
        ['a', 'NotIn', '1'],
        ['b', 'DoesNotExist'],
        ['c', 'Gt', '1'],
      ],
    ]),
  ).toEqual([])
})
