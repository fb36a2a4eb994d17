import { describe, expect, test } from 'vitest'
import type { Taint } from '../kubernetes/node.ts'
import type { Toleration } from '../kubernetes/pod.ts'
import { toleratesTaint } from './tolerations.ts'

const gpu: Taint = { key: 'gpu', value: 'a100', effect: 'NoSchedule' }
const size = (value: string): Taint => ({ key: 'size', value, effect: 'NoExecute' })

describe('tolerations', () => {
  const table: readonly (readonly [string, Toleration, Taint, boolean])[] = [
    ['same key, value, effect', { key: 'gpu', operator: 'Equal', value: 'a100', effect: 'NoSchedule' }, gpu, true],
    ['Equal is the default', { key: 'gpu', value: 'a100' }, gpu, true],
    ['an empty operator is Equal', { key: 'gpu', operator: '', value: 'a100' }, gpu, true],
    ['another value', { key: 'gpu', value: 'h100' }, gpu, false],
    ['no value means an empty value', { key: 'gpu' }, gpu, false],
    ['no value on both sides', { key: 'gpu' }, { key: 'gpu', effect: 'NoSchedule' }, true],
    ['Exists tolerates any value', { key: 'gpu', operator: 'Exists' }, gpu, true],
    ['Exists without a key tolerates everything', { operator: 'Exists' }, gpu, true],
    ['Exists with an effect tolerates only that effect', { operator: 'Exists', effect: 'NoExecute' }, gpu, false],
    ['an empty effect tolerates all effects', { operator: 'Exists', effect: '' }, gpu, true],
    ['another key', { key: 'cpu', operator: 'Exists' }, gpu, false],
    ['below', { key: 'size', operator: 'Lt', value: '5' }, size('4'), true],
    ['not below', { key: 'size', operator: 'Lt', value: '5' }, size('5'), false],
    ['above', { key: 'size', operator: 'Gt', value: '5' }, size('6'), true],
    ['above, as numbers', { key: 'size', operator: 'Gt', value: '9' }, size('10'), true],
    ['negative', { key: 'size', operator: 'Lt', value: '0' }, size('-1'), true],
    ['a number with a leading zero is invalid', { key: 'size', operator: 'Lt', value: '5' }, size('04'), false],
    ['a text is not a number', { key: 'size', operator: 'Gt', value: '5' }, size('big'), false],
    ['a number with a plus sign is invalid', { key: 'size', operator: 'Gt', value: '5' }, size('+6'), false],
    [
      'a number of more than 64 bits is invalid',
      { key: 'size', operator: 'Gt', value: '5' },
      size(String(2n ** 63n)),
      false,
    ],
    [
      'the largest number of 64 bits is valid',
      { key: 'size', operator: 'Gt', value: '5' },
      size(String(2n ** 63n - 1n)),
      true,
    ],
    ['an unknown operator', { key: 'size', operator: 'Near' as never }, size('5'), false],
  ]
  test.each(table)('%s', (_, toleration, taint, expected) => {
    expect(toleratesTaint([toleration], taint)).toBe(expected)
  })

  test('one of several tolerations is enough, but an empty list is not', () => {
    expect(toleratesTaint([{ key: 'x', operator: 'Exists' }, { operator: 'Exists' }], gpu)).toBe(true)
    expect(toleratesTaint([], gpu)).toBe(false)
    expect(toleratesTaint(undefined, gpu)).toBe(false)
  })
})
