import { RuleError } from '@kerf/apis'
import { expect, test } from 'vitest'
import { compileOnce } from './compile-once.ts'

const schema = (rule: string) => ({
  type: 'object',
  properties: { spec: { type: 'object', 'x-kubernetes-validations': [{ rule, message: 'too many' }] } },
})

test('equal schemas are compiled once, and different schemas separately', () => {
  const one = compileOnce(schema('1 < 3'))
  expect(compileOnce(schema('1 < 3'))).toBe(one)
  expect(compileOnce(schema('1 < 4'))).not.toBe(one)
})

test('later changes of the given schema do not affect the compiled one', () => {
  const given = { type: 'object', properties: { spec: { type: 'object', maxProperties: 1 } } }
  const compiled = compileOnce(given)
  given.properties.spec.maxProperties = 5
  expect(compiled.validateCreate({ spec: { a: 1, b: 2 } })).toHaveLength(1)
})

test('a rule that does not compile is refused every time', () => {
  for (let time = 0; time < 2; time++) expect(() => compileOnce(schema('self.count <'))).toThrow(RuleError)
})

test('only the latest schemas are kept', () => {
  const first = compileOnce(schema('1 < 2'))
  for (let number = 0; number < 120; number++) compileOnce(schema(`${number} < 1000`))
  expect(compileOnce(schema('1 < 2'))).not.toBe(first)
})
