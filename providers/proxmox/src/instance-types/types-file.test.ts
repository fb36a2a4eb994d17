import { parseResources } from '@kerf/apis'
import { expect, test } from 'vitest'
import { readTypesFile } from './types-file.ts'

const capacity = { cpu: 2, memory: '4Gi', pods: '64' }
const read = (...entries: readonly object[]) => readTypesFile(JSON.stringify(entries))

test('a type has a name, a capacity, an overhead and a capacity type', () => {
  const overhead = { KubeReserved: { cpu: '50m' }, SystemReserved: {}, EvictionThreshold: { memory: '100Mi' } }
  expect(read({ name: 'small', capacity, overhead }, { name: 'cheap', capacity, capacitytype: 'spot' })).toEqual({
    types: [
      {
        ...{ name: 'small', capacityType: 'on-demand' },
        capacity: parseResources({ cpu: '2', memory: '4Gi', pods: '64' }),
        overhead: {
          kubeReserved: parseResources({ cpu: '50m' }),
          systemReserved: {},
          evictionThreshold: parseResources({ memory: '100Mi' }),
        },
      },
      expect.objectContaining({ name: 'cheap', capacityType: 'spot', overhead: { kubeReserved: {} } }),
    ],
  })
})

test.each([
  ['no list', '{}', 'must be a list of instance types'],
  ['no JSON', '[', 'is not JSON: '],
  ['no name', '[{}]', 'entry 0 has no name'],
  ['an unknown key', '[{"name": "a", "price": 1}]', 'entry 0 has the unknown keys price'],
  ['no memory', '[{"name": "a", "capacity": {"cpu": 1, "pods": 5}}]', 'a: capacity lacks memory'],
  ['a wrong amount', '[{"name": "a", "capacity": {"cpu": "two"}}]', 'a: capacity: cpu "two" must be a quantity'],
  ['a wrong capacity type', '[{"name": "a", "capacitytype": "reserved"}]', 'a: capacitytype must be on-demand or spot'],
])('%s is a problem', (_what, text, problem) => {
  expect(readTypesFile(text)).toEqual({ problems: [expect.stringContaining(problem)] })
})

test('two types cannot have the same name', () => {
  expect(read({ name: 'a', capacity }, { name: 'a', capacity })).toEqual({ problems: ['two types have the name a'] })
})
