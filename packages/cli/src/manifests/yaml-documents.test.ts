import { ownField } from '@kerf/apis'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments, type ScalarTag, stringify } from 'yaml'
import { yamlDocuments } from './yaml-documents.ts'
import { YamlError } from './yaml-error.ts'
import { resolveScalar } from './yaml-scalar.ts'

const plainScalar: ScalarTag = {
  tag: 'tag:kerf.sh,2026:plain',
  default: true,
  test: /^[\s\S]*$/,
  resolve: (text) => resolveScalar(text),
}

/** Reads the text with another parser that resolves plain scalars in the same way. */
const byAnother = (text: string): readonly unknown[] =>
  parseAllDocuments(text, { schema: 'failsafe', uniqueKeys: false, customTags: (tags) => [...tags, plainScalar] }).map(
    (document) => {
      expect(document.errors).toEqual([])
      return document.toJS() as unknown
    },
  )

const read = (text: string): readonly unknown[] => yamlDocuments(text).map(({ value }) => value)

/** Scalars that YAML versions interpret differently, with the values that sigs.k8s.io/yaml v1.6.0 returns. */
const RESOLVED: readonly (readonly [word: string, value: unknown])[] = [
  ['yes', true],
  ['No', false],
  ['on', true],
  ['OFF', false],
  ['y', true],
  ['n', false],
  ['Y', true],
  ['N', false],
  ['true', true],
  ['True', true],
  ['tRUE', 'tRUE'],
  ['FALSE', false],
  ['null', null],
  ['Null', null],
  ['nULL', 'nULL'],
  ['~', null],
  ['2024-01-01', '2024-01-01'],
  ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
  ['1:30', '1:30'],
  ['190:20:30', '190:20:30'],
  ['=', '='],
  ['<', '<'],
  ['1_000', 1000],
  ['1_000.5', 1000.5],
  ['0b101', 5],
  ['0o17', 15],
  ['017', 15],
  ['0400', 256],
  ['08', 8],
  ['0x1F', 31],
  ['-0x1F', -31],
  ['+12', 12],
  ['-017', -15],
  ['9007199254740991', 9007199254740991],
  ['1Gi', '1Gi'],
  ['100m', '100m'],
  ['1e3', 1000],
  ['1E3', 1000],
  ['1.', 1],
  ['.5', 0.5],
  ['-.5e-3', -0.0005],
  ['1e', '1e'],
  ['12e03', 12000],
  ['0.1', 0.1],
  ['infinity', 'infinity'],
  ['NaN', 'NaN'],
  ['.', '.'],
  ['0_7', 7],
  ['_1', '_1'],
  ['0x', '0x'],
  ['0b2', '0b2'],
  ['1.5.2', '1.5.2'],
  ['010.5', 10.5],
  ['1e400', '1e400'],
  ['00', 0],
  ['0o8', '0o8'],
  // An integer that needs more than 64 bits is read as a float if it has the form of a float, otherwise as a string.
  ['0xffffffffffffffff', 2 ** 64],
  ['0x1ffffffffffffffff', '0x1ffffffffffffffff'],
  ['-0x8000000000000001', '-0x8000000000000001'],
  ['+0x8000000000000000', '+0x8000000000000000'],
  ['02000000000000000000000', 2e21],
]
const DISPUTED = RESOLVED.map(([word]) => word)

test.each(RESOLVED)('reads %j like kubectl: %j', (word, value) => {
  expect(read(`a: ${word}\n`)).toEqual([{ a: value }])
  expect(read(`b: [${word}]\nc:\n- ${word}\n`)).toEqual([{ b: [value], c: [value] }])
})

test('keeps keys with the names of built-in properties, even through merge keys', () => {
  const keys = Object.getOwnPropertyNames(Object.prototype)
  const text = keys.map((key) => `  ${key}: {a: b}`).join('\n')
  for (const value of [...read(`data:\n${text}`), ...read(`base: &x\n${text}\ndata:\n  <<: *x`)]) {
    const data = ownField(value, 'data')
    expect(Object.entries(data ?? {})).toEqual(keys.map((key) => [key, { a: 'b' }]))
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
  }
})

describe('reads what kubectl accepts and YAML 1.2 refuses', () => {
  test.each([
    [
      'a closing bracket at the indentation of its key',
      'a:\n  b: [\n    c, d\n  ]\n  e: f\n',
      { a: { b: ['c', 'd'], e: 'f' } },
    ],
    ['a closing brace at the indentation of its key', 'a:\n  b: {\n    c: d\n  }\n', { a: { b: { c: 'd' } } }],
    ['a closing bracket in a sequence', 'a:\n- b: [\n  c\n  ]\n- [\n  d\n]\n', { a: [{ b: ['c'] }, ['d']] }],
    [
      'brackets without indentation',
      'a:\n  b:\n    - {\nc: [d,\ne\n]\n}\n  f: g\n',
      { a: { b: [{ c: ['d', 'e'] }], f: 'g' } },
    ],
    [
      'quoted text over lines with less indentation',
      'a:\n  b: "c\n d\n\ne"\n  f: \'g\nh\'\n',
      { a: { b: 'c d\ne', f: 'g h' } },
    ],
    ['tabs between the items of a list', 'a: [b,\tc,\n\td\n]\n', { a: ['b', 'c', 'd'] }],
    ['a comment directly after a value', 'a: "b"#c\nd: [e]# f\ng: {h: i}#\n', { a: 'b', d: ['e'], g: { h: 'i' } }],
    [
      'tags that are not part of YAML',
      'a: !Ref b\nc: !x {d: !!str 1}\ne: !!int "0400"\n',
      { a: 'b', c: { d: '1' }, e: 256 },
    ],
    [
      'tags in their long form, and base64',
      'a: !<tag:yaml.org,2002:int> "0400"\nb: !!binary aGk=\n',
      { a: 256, b: 'hi' },
    ],
    ['keys that are not strings', 'true: a\n010: b\n1.5: c\n', { true: 'a', 8: 'b', '1.5': 'c' }],
    [
      'merged keys replace earlier keys',
      'x: &x {a: 1, b: 2}\nz: {a: 3, <<: *x, b: 4}\n',
      { x: { a: 1, b: 2 }, z: { a: 1, b: 4 } },
    ],
    [
      'the first of several merged mappings applies',
      'x: [&x {a: 1}, &y {a: 2, b: 2}]\nz: {<<: [*x, *y], c: 3}\n',
      { x: [{ a: 1 }, { a: 2, b: 2 }], z: { a: 1, b: 2, c: 3 } },
    ],
    ['a key in quotes merges nothing', 'a: {"<<": {b: c}}\n', { a: { '<<': { b: 'c' } } }],
  ])('%s', (_, text, value) => expect(read(text)).toEqual([value]))

  test('uses the last value of a repeated key, and reports its line', () => {
    expect(yamlDocuments('---\na: 1\nb: {c: 1, c: 2}\na: 3\n---\nd: 4\nd: 5\n')).toEqual([
      {
        value: { a: 3, b: { c: 2 } },
        line: 2,
        repeated: [
          { key: 'c', line: 3 },
          { key: 'a', line: 4 },
        ],
      },
      { value: { d: 5 }, line: 6, repeated: [{ key: 'd', line: 7 }] },
    ])
    expect(yamlDocuments('a: 1\na:\n  b: 1\n  b: 2\n')[0]?.repeated).toEqual([
      { key: 'a', line: 2 },
      { key: 'b', line: 4 },
    ])
  })

  test('ignores the text after the end marker ... of a document', () =>
    expect(read('a: 1\n...\nb: 2\n---\nc: 3\n')).toEqual([{ a: 1 }, { c: 3 }]))
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

test('reads any document exactly like another parser', () => {
  fc.assert(
    fc.property(fc.array(value.object, { minLength: 1, maxLength: 3 }), style, (values, options) => {
      const text = values.map((each) => `---\n${stringify(each, options)}`).join('')
      // For a few texts, such as "-" before a line break, the YAML writer omits necessary quotes, and no parser can read the
      // result.
      fc.pre(parseAllDocuments(text).every((document) => document.errors.length === 0))
      expect(read(text)).toEqual(byAnother(text))
    }),
    { numRuns: 500 },
  )
})

describe('refuses invalid YAML', () => {
  test.each([
    ['a: [1,', 'unexpected end of the stream within a flow collection', 1, 7],
    ['a:\n\t- b\n', 'tab characters must not be used in indentation', 2, 1],
    ['---\na: 1\n--- b: 2\n', 'nothing may follow the document separator ---, found: b: 2', 3, 4],
    ['a: .inf\n', '.inf is a number that JSON cannot represent', 1, 4],
    ['a: 1\n? [b]\n: c\n', 'the key of a mapping must be a string, a number or a boolean', 2, 3],
    ['a: *nobody\n', 'unidentified alias "nobody"', 1, 5],
    ['# it\na: &a [*a]\n', 'anchor "a" contains itself', 2, 9],
    ['a: 1\nb: !!int x\n', 'cannot decode "x" as a !!int', 2, 4],
    ['a: {<<: 3}\n', 'map merge requires map or sequence of maps as the value', 1, 5],
    // kubectl accepts these lines, although YAML 1.2 does not. The columns in errors refer to the original file.
    ['a:\n  b: [\nc, }\n  ]\n', 'missed comma between flow collection entries', 3, 4],
    ['a:\n  b: [\nc, *x ]\n', 'unidentified alias "x"', 3, 5],
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

  test('refuses aliases that expand to billions of values', () => {
    const names = [...'abcdefghijk']
    const lines = names.slice(1).map((name, index) => `${name}: &${name} [${`*${names[index]}, `.repeat(9)}]`)
    expect(() => yamlDocuments([`a: &a [x]`, ...lines].join('\n'))).toThrow('expand to too many values')
    expect(read('a: &a [x]\nb: *a\n')).toEqual([{ a: ['x'], b: ['x'] }])
  })
})
