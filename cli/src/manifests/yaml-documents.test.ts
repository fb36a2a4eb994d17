import { ownField } from '@kerf/apis'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments, stringify } from 'yaml'
import { YamlError, yamlDocuments } from './yaml-documents.ts'

/** What another parser, which is held to the same schema, reads. */
const byAnother = (text: string): readonly unknown[] =>
  parseAllDocuments(text, { merge: true, version: '1.2', schema: 'core' }).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as unknown
  })

const read = (text: string): readonly unknown[] => yamlDocuments(text).map(({ value }) => value)

/** What parsers and versions of YAML disagree about. */
const DISPUTED: readonly string[] = [
  ...['2024-01-01', '2024-01-01T00:00:00Z', '2001-12-14 21:59:43.10 -5', '190:20:30', '1:30', '=', '<'],
  ...['1_000', '1_000.5', '0b101', '0o17', '017', '0x1F', '-0x1F', '+12', '9007199254740993', '1Gi', '100m'],
  ...['1e3', '1.', '.5', '-.5e-3', '1e', '12e03', '0.1', '.inf', '-.INF', '.nan', '+.nan', 'infinity', 'NaN'],
  ...['yes', 'No', 'on', 'OFF', 'y', 'n', 'true', 'True', 'tRUE', 'FALSE', 'null', 'Null', 'nULL', '~'],
]

test.each(DISPUTED)('%j is what the core schema of YAML 1.2 says', (word) => {
  const text = `a: ${word}\nb: [${word}]\nc:\n- ${word}\n`
  expect(read(text)).toEqual(byAnother(text))
})

test('keys named after built-in properties are kept, also through merge keys and by the other parser', () => {
  const keys = Object.getOwnPropertyNames(Object.prototype)
  const text = keys.map((key) => `  ${key}: {a: b}`).join('\n')
  for (const value of [
    ...read(`data:\n${text}`),
    ...read(`base: &x\n${text}\ndata:\n  <<: *x`),
    ...byAnother(`data:\n${text}`),
  ]) {
    const data = ownField(value, 'data')
    expect(Object.entries(data ?? {})).toEqual(keys.map((key) => [key, { a: 'b' }]))
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
  }
})

test('dates, switches and grouped digits stay text', () => {
  expect(read('a: 2024-01-01\nb: 2024-01-01T00:00:00Z\nc: yes\nd: on\ne: 1_000\nf: 017\ng: 1:30\n')).toEqual([
    { a: '2024-01-01', b: '2024-01-01T00:00:00Z', c: 'yes', d: 'on', e: '1_000', f: 17, g: '1:30' },
  ])
})

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...DISPUTED),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...'a :-#"\'&*?|>%!\n') }),
    fc.double({ noNaN: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...DISPUTED), fc.string()), tie('any'), { maxKeys: 4 }),
}))

const style = fc.record({
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 20, 80),
  singleQuote: fc.constantFrom(true, false, null),
  collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
})

test('documents of any content and style are read as another parser reads them', () => {
  fc.assert(
    fc.property(fc.array(value.object, { minLength: 1, maxLength: 3 }), style, (values, options) => {
      const text = values.map((each) => `---\n${stringify(each, options)}`).join('')
      // The writer leaves quotes away that a few texts need ("-" before a line break): nobody can read those, itself included.
      fc.pre(parseAllDocuments(text).every((document) => document.errors.length === 0))
      expect(read(text)).toEqual(byAnother(text))
    }),
    { numRuns: 500 },
  )
})

describe('a text that is no YAML', () => {
  test.each([
    ['a: [1,', 'unexpected end of the stream within a flow collection', 1, 7],
    ['a:\n\t- b\n', 'tab characters must not be used in indentation', 2, 1],
    ['a: 1\na: 2\n', 'duplicated mapping key', 2, 1],
    ['a: *nobody\n', 'unidentified alias "nobody"', 1, 5],
    ['# it\na: &a [*a]\n', 'its aliases come to more values than anything can hold', 2, 1],
  ])('%j', (text, message, line, column) => {
    try {
      yamlDocuments(text)
    } catch (error) {
      expect(error).toBeInstanceOf(YamlError)
      expect(error).toMatchObject({ message, line, column })
      return
    }
    expect.fail('it was read')
  })

  test('a few lines of aliases that come to billions of values', () => {
    const names = [...'abcdefghijk']
    const lines = names.slice(1).map((name, index) => `${name}: &${name} [${`*${names[index]}, `.repeat(9)}]`)
    expect(() => yamlDocuments([`a: &a [x]`, ...lines].join('\n'))).toThrow('more values than anything can hold')
    expect(read('a: &a [x]\nb: *a\n')).toEqual([{ a: ['x'], b: ['x'] }])
  })
})
