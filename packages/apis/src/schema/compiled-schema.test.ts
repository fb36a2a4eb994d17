import { describe, expect, test } from 'vitest'
import { RuleError } from './cel-rule.ts'
import { compileCrdSchema } from './compiled-schema.ts'
import { formatFieldError } from './field-error.ts'
import type { StructuralSchema } from './structural-schema.ts'

const spec = (properties: Readonly<Record<string, StructuralSchema>>): StructuralSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
})
const ruled = (rule: string, more: StructuralSchema = { type: 'string' }): StructuralSchema => ({
  ...more,
  'x-kubernetes-validations': [{ rule, message: 'no' }],
})

describe('existing errors in unchanged values', () => {
  const schema = compileCrdSchema(
    spec({
      a: { type: 'string', pattern: '^x$' },
      b: { type: 'string' },
      ruled: ruled("self == 'x'"),
      list: { type: 'array', items: { type: 'string', pattern: '^x$' } },
      map: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', properties: { name: { type: 'string' }, value: { type: 'string', pattern: '^x$' } } },
      },
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    }),
  )
  const fields = (before: object, after: object): string[] =>
    schema.validateUpdate({ spec: after }, { spec: before }).map(({ field }) => field)

  test('are refused on creation', () => {
    expect(schema.validateCreate({ spec: { a: 'bad' } }).map(({ field }) => field)).toEqual(['spec.a'])
  })
  test('are accepted in an unchanged text', () => {
    expect(fields({ a: 'bad' }, { a: 'bad', b: 'new' })).toEqual([])
    expect(fields({ a: 'bad' }, { a: 'worse' })).toEqual(['spec.a'])
  })
  test('are accepted in a value that violates a rule and is unchanged', () => {
    expect(fields({ ruled: 'bad' }, { ruled: 'bad', b: 'new' })).toEqual([])
    expect(fields({ ruled: 'bad' }, { ruled: 'worse' })).toEqual(['spec.ruled'])
  })
  test('are accepted in a plain list only if the whole list is unchanged', () => {
    expect(fields({ list: ['bad'] }, { list: ['bad'], b: 'new' })).toEqual([])
    expect(fields({ list: ['bad'] }, { list: ['bad', 'x'] })).toEqual(['spec.list[0]'])
  })
  test('are accepted in a list of type map for each unchanged item', () => {
    const bad = { name: 'one', value: 'bad' }
    expect(fields({ map: [bad] }, { map: [{ name: 'two', value: 'x' }, bad] })).toEqual([])
    expect(fields({ map: [bad] }, { map: [{ ...bad, value: 'worse' }] })).toEqual(['spec.map[0].value'])
  })
  test('are accepted in a set that already had duplicates', () => {
    expect(fields({ set: ['a', 'a'] }, { set: ['a', 'a', 'b', 'b'] })).toEqual([])
    expect(fields({ set: ['a'] }, { set: ['a', 'a'] })).toEqual(['spec.set[1]'])
  })
})

describe('rules that do not compile are reported before any object is validated', () => {
  test.each([
    ['self ==', 'syntax'],
    ['self.nope()', 'an unknown function'],
    ['unknown == 1', 'an unknown variable'],
    ["'a' + 1 == 'b'", 'types that do not fit'],
    ["'a text'", 'not a truth value'],
  ])('%s: %s', (rule) => {
    expect(() => compileCrdSchema(spec({ a: ruled(rule) }))).toThrow(RuleError)
    expect(() => compileCrdSchema(spec({ a: ruled(rule) }))).toThrow(
      expect.objectContaining({ rule, path: 'properties[spec].properties[a].x-kubernetes-validations[0].rule' }),
    )
  })

  test('a rule that reads a field that is not in the schema', () => {
    const object: StructuralSchema = {
      type: 'object',
      properties: { 'a-b': { type: 'string' }, c: { type: 'object' } },
    }
    expect(() => compileCrdSchema(spec({ a: ruled("self.a__dash__b == 'x'", object) }))).not.toThrow()
    expect(() => compileCrdSchema(spec({ a: ruled('has(self.b)', object) }))).toThrow("undefined field 'b'")
    expect(() => compileCrdSchema(spec({ a: ruled("has(self.c) && self.c.d == 'x'", object) }))).toThrow(
      "undefined field 'd'",
    )
    expect(() => compileCrdSchema({ ...spec({}), ...ruled("self.metadata.name == 'x'", {}) })).not.toThrow()
    expect(() => compileCrdSchema({ ...spec({}), ...ruled('has(self.metadata.labels)', {}) })).toThrow(
      "undefined field 'labels'",
    )
  })

  test('a transition rule in a list whose items cannot be matched with old items', () => {
    const items = ruled('self == oldSelf')
    expect(() => compileCrdSchema(spec({ list: { type: 'array', items } }))).toThrow('oldSelf')
  })
})

test('errors have the format that kubectl prints', () => {
  const schema = compileCrdSchema({
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        properties: {
          text: { type: 'string', pattern: '^x$', maxLength: 3 },
          choice: { type: 'string', enum: ['a', 'b'] },
          count: { type: 'integer', maximum: 3 },
          rule: ruled("self == 'x'"),
        },
      },
    },
  })
  const lines = (object: Readonly<Record<string, unknown>>): string[] =>
    schema.validateCreate(object).map(formatFieldError)
  expect(lines({})[0]).toBe('spec: Required value')
  expect(lines({ spec: { text: 'y' } })).toEqual([
    `spec.text: Invalid value: "y": spec.text in body should match '^x$'`,
  ])
  expect(lines({ spec: { choice: 'c' } })[0]).toBe('spec.choice: Unsupported value: "c": supported values: "a", "b"')
  expect(lines({ spec: { count: 4 } })[0]).toBe(
    'spec.count: Invalid value: 4: spec.count in body should be less than or equal to 3',
  )
  expect(lines({ spec: { count: 'x' } })[0]).toBe(
    'spec.count: Invalid value: "string": spec.count in body must be of type integer: "string"',
  )
  expect(lines({ spec: { rule: 'y' } })).toEqual(['spec.rule: Invalid value: "y": no'])
})

test('input objects are not changed', () => {
  const freeze = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) freeze(inner)
      Object.freeze(value)
    }
    return value
  }
  const schema = compileCrdSchema(
    freeze(
      spec({
        a: { type: 'string', default: 'x' },
        o: { type: 'object', default: {}, properties: { b: { type: 'integer', default: 1 } } },
      }),
    ),
  )
  const object = freeze({ spec: { extra: 1, o: null } })
  expect(schema.prune(schema.default(object))).toEqual({ spec: { a: 'x', o: { b: 1 } } })
  expect(schema.unknownFields(object)).toEqual(['spec.extra'])
  expect(object).toEqual({ spec: { extra: 1, o: null } })
})
