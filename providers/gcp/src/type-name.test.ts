import { expect, test } from 'vitest'
import { parseTypeName } from './type-name.ts'

test.each([
  ['n2-standard-4', 'n2', 'standard', '4', '2'],
  ['e2-medium', 'e2', 'medium', 'medium', '2'],
  ['a3-highgpu-8g', 'a3', 'highgpu', '8g', '3'],
  ['n2d-highcpu-128', 'n2d', 'highcpu', '128', '2'],
  ['c4a-standard-1', 'c4a', 'standard', '1', '4'],
  ['a4x-highgpu-4g', 'a4x', 'highgpu', '4g', '4'],
  ['c3-standard-8-lssd', 'c3', 'standard', '8', '3'],
  ['c4-standard-288-metal', 'c4', 'standard', '288', '4'],
  ['c4-standard-288-lssd-metal', 'c4', 'standard', '288', '4'],
  ['z3-highmem-192-highlssd-metal', 'z3', 'highmem', '192', '3'],
  ['ct5lp-hightpu-4t', 'ct5lp', 'hightpu', '4t', undefined],
  ['tpu7x-standard-1t', 'tpu7x', 'standard', '1t', undefined],
])('%s has the family %s, the shape %s, the size %s and the generation %s', (name, family, shape, size, generation) => {
  expect(parseTypeName(name)).toEqual({ family, shape, size, generation })
})

test('a name of one word has no words', () => {
  expect(parseTypeName('mysterious')).toBeUndefined()
})
