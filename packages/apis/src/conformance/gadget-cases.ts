import { CASE_NAME, type ConformanceCase } from './case.ts'
import { gadgetKind } from './gadget-schema.ts'
import { accepted, caseTable, long, refused, type Table } from './table.ts'

/** Valid and invalid values by field. */
const values: Readonly<Record<string, readonly [good: readonly unknown[], bad: readonly unknown[]]>> = {
  fdate: [['2024-02-29'], ['2023-02-29', '2024-1-1', 'x', '']],
  fdatetime: [
    ['2024-05-06T07:08:09Z', '2024-05-06t07:08:09z', '2024-05-06T07:08:09.5+01:00'],
    ['2024-05-06', '2024-05-06T24:00:00Z', '2024-05-06T07:08:09', '2024-05-06 07:08:09Z', ''],
  ],
  fduration: [
    ['1h', '1h30m', '5s', '100ms'],
    ['', 'x', '1y'],
  ],
  fbyte: [['YWJj'], ['a', 'YWJ?', '']],
  fuuid: [
    ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'],
    ['123', 'g23e4567-e89b-12d3-a456-426614174000'],
  ],
  fipv4: [
    ['1.2.3.4', '01.2.3.4'],
    ['1.2.3', '256.1.1.1', '::1', ''],
  ],
  fipv6: [
    ['::1', 'fe80::1', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8'],
    ['1.2.3.4', ':::', '1:2:3', 'g::'],
  ],
  fcidr: [
    ['10.0.0.0/8', '::/0', '10.1.2.3/32'],
    ['10.0.0.0', '10.0.0.0/33', '/8'],
  ],
  fmac: [
    ['01:23:45:67:89:ab', '01-23-45-67-89-AB'],
    ['01:23:45', 'x'],
  ],
  fhostname: [
    ['example.com', 'a', 'a-b.cd'],
    ['-a', 'a..b', 'a b', 'a-b.c'],
  ],
  number: [
    [2.5, 10, 4],
    [0, 12.5, -1, 0.3, 5, 1, '1', true],
  ],
  small: [
    [0, 2147483647, -2147483648],
    [1.5, '1'],
  ],
  flag: [
    [true, false],
    ['true', 0],
  ],
  port: [
    [80, 'http', '', 0],
    [1.5, true, {}, []],
  ],
  matrix: [[{}, { a: [] }, { a: [1, 2], b: [0] }], []],
  one: [[{ a: 'x' }, { b: 'x' }], []],
  notIt: [['good', ''], []],
  all: [
    ['ab', 'aaa'],
    ['a', 'bb', ''],
  ],
  words: [
    ['abc', 'ABC'],
    ['a1', '', 'a b'],
  ],
  anyCase: [
    ['abc', 'ABC', 'aBc'],
    ['abcd', 'x'],
  ],
  blanks: [
    ['a b', 'a\tb'],
    ['a\u00a0b', 'ab', 'a\u000bb'],
  ],
  length: [
    ['', 'abc', 'äöü', '😀😀😀'],
    ['abcd', '😀😀😀😀'],
  ],
  celFind: [
    ['a42b', '42'],
    ['a43', '', 'x'],
  ],
  celFindAll: [
    ['1a2', '12 34'],
    ['1', '1a2b3', ''],
  ],
  celMatches: [['abc'], ['ABC', '', 'a1']],
  celInt: [
    ['4', '+5', '004'],
    ['3', '', 'x', '4.5', ' 4', '0x5'],
  ],
  celQuantity: [
    ['2Gi', '1.5Gi', '10G'],
    ['1Gi', '1', 'x', '', '1GB'],
  ],
  celQuantityMath: [
    ['1.5', '1500m'],
    ['1', '2', 'x'],
  ],
  celUrl: [
    ['https://example.com/a?b=c', 'https://example.com:8443'],
    ['http://example.com', 'x', '/a', '', 'https://other.com'],
  ],
  celIp: [['1.2.3.4'], ['::1', 'x', '']],
  celCidr: [
    ['10.0.0.0/24', '10.0.0.1/32'],
    ['10.0.0.0/8', 'x', ''],
  ],
  celSorted: [[[], [1], [1, 2, 2]], [[2, 1]]],
  celSum: [
    [[1, 2, 3], [6]],
    [[], [1]],
  ],
  celMax: [
    [
      [1, 2, 3],
      [3, 1],
    ],
    [[1, 2], []],
  ],
  celReplace: [
    ['aa', 'ab'],
    ['a', 'abc', ''],
  ],
  celSplit: [
    ['a,b', 'b'],
    ['a', '', 'ab,c'],
  ],
  celTime: [
    ['2024-01-01T00:00:01Z', '2025-01-01T00:00:00+05:00'],
    ['2024-01-01T00:00:00Z', '2023-01-01T00:00:00Z'],
  ],
  celDuration: [
    ['1m', '1h', '60s'],
    ['59s', '0s'],
  ],
  celExistsOne: [
    [['a'], ['b', 'a']],
    [[], ['a', 'a'], ['b']],
  ],
  celMap: [
    [['a'], ['b', 'a']],
    [[], ['b']],
  ],
  celFilter: [
    [[3], [1, 2, 3]],
    [[], [3, 4], [1]],
  ],
  celType: [
    [3, 'many'],
    [2, 'few'],
  ],
  celNumber: [
    [1.5, 2],
    [1, 2.5, 3],
  ],
  celEscape: [
    [{ 'a-b': 'x', 'c.d': 'x' }, { namespace: 'x' }],
    [{ 'a-b': 'x', 'c.d': 'y' }, { namespace: 'y' }, { 'a-b': 'x' }, {}],
  ],
  celSets: [
    [['a'], ['a', 'b'], ['b', 'a', 'a']],
    [[], ['b'], ['a', 'c']],
  ],
  celLabel: [
    ['a', 'a-b', '1'],
    ['', 'A', '-a', 'a.b'],
  ],
  celNamed: [
    ['a', 'A_b', ''],
    ['a b', '-a'],
  ],
  celPath: [[{}, { a: {} }, { a: { b: 'x' } }], [{ a: { b: 'y' } }]],
  celFormat: [['a-1'], ['a-2', '']],
  celHas: [
    [{ a: '' }, { b: 'x' }],
    [{ a: 'x', b: 'x' }, { b: 'y' }, {}],
  ],
  celIn: [
    [{ a: 'x' }, { a: 'x', b: 'z' }],
    [{}, { a: 'z' }, { a: 'x', b: 'y' }],
  ],
  celOptional: [['first'], ['second', '']],
  celTransition: [[0, 5, -5], []],
}

const defaultCases = (table: Table): void => {
  table.accepts('defaults at the top', {}, { 'spec.flag': true, 'spec.nullable': 'x', 'spec.withDefault': 'd' })
  table.accepts('no spec, no defaults in it', { spec: undefined }, { spec: undefined })
  table.accepts(
    'null where it is allowed stays',
    { 'spec/nullable': null, 'spec/nullableBare': null },
    { 'spec.nullable': null, 'spec.nullableBare': null },
  )
  table.accepts('null where it is not is the default', { 'spec/withDefault': null }, { 'spec.withDefault': 'd' })
  table.accepts(
    'null where it is not and without default goes',
    { 'spec/words': null, 'spec/tags': null },
    { 'spec.words': undefined, 'spec.tags': undefined },
  )
  table.accepts(
    'defaults in items',
    { 'spec/ports': [{ port: 1 }], 'spec/plain': [{}] },
    {
      'spec.ports.0.protocol': 'TCP',
      'spec.plain.0.deep': { level: 1 },
    },
  )
  table.refuses('a default that a rule of the root forbids', { 'metadata/name': 'd' })
  table.refuses('null in a list', { 'spec/tags': ['a', null] }, 'spec.tags[1]')
}

const pruneCases = (table: Table): void => {
  table.accepts(
    'unknown fields go',
    { 'spec/x': 1, 'spec/plain': [{ x: 1 }], 'spec/one': { a: 'x', x: 1 } },
    {
      'spec.x': undefined,
      'spec.plain.0.x': undefined,
      'spec.one.x': undefined,
    },
  )
  table.accepts(
    'open objects keep them',
    { 'spec/open': { x: { y: [1, { z: null }] }, known: { a: 'x', b: 'y' } } },
    {
      'spec.open': { x: { y: [1, { z: null }] }, known: { a: 'x' } },
    },
  )
  table.accepts('the status is open', {}, { status: undefined })
  table.updateStatus(
    'an open status keeps everything',
    {},
    { status: { a: [1], b: { c: null } } },
    accepted({ status: { a: [1], b: { c: null } } }),
  )
  table.accepts(
    'an embedded object',
    { 'spec/embedded': { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { x: 1 } } },
    {
      'spec.embedded.spec': { x: 1 },
    },
  )
  table.accepts(
    'metadata that is none is dropped from an embedded object',
    { 'spec/embedded': { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', x: 1, labels: { a: 'b' } } } },
    { 'spec.embedded.metadata': { name: 'a', labels: { a: 'b' } } },
  )
  table.accepts('a list passes for a text with a format', { 'spec/fuuid': [] }, { 'spec.fuuid': [] })
  table.refuses('a number that 64 bits do not hold', { 'spec/port': 1e20 }, 'spec.port')
  table.refuses('an embedded object without kind', { 'spec/embedded': { apiVersion: 'v1' } }, 'spec.embedded.kind')
  table.refuses(
    'an embedded object without anything',
    { 'spec/embedded': {} },
    'spec.embedded.kind',
    'spec.embedded.apiVersion',
  )
}

const listCases = (table: Table): void => {
  table.accepts('a set', { 'spec/tags': ['a', 'b'] })
  table.refuses('a set with a value three times', { 'spec/tags': ['a', 'b', 'a', 'a'] }, 'spec.tags[2]')
  table.accepts('a list by two keys', { 'spec/ports': [{ port: 1 }, { port: 1, protocol: 'UDP' }, { port: 2 }] })
  table.refuses(
    'a key twice, once by default',
    { 'spec/ports': [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
    'spec.ports[1]',
  )
  table.refuses('a bad value in a map of lists', { 'spec/matrix': { a: [1, -1] } }, 'spec.matrix.a[1]')
  table.refuses('a map of lists that is none', { 'spec/matrix': { a: 1 } }, 'spec.matrix.a')
  table.refuses('too long and otherwise wrong', { 'spec/length': long(5), 'spec/celFind': 'x' }, 'spec.length')
}

const transitionCases = (table: Table): void => {
  table.refuses('a rule that points elsewhere', { 'spec/celFieldPath': { a: 'y' } }, 'spec.celFieldPath.a')
  table.accepts('a rule that points elsewhere and holds', { 'spec/celFieldPath': { a: 'x' } })
  table.refuses('a rule that fails to be worked out', { 'spec/celFieldPath': {} }, 'spec.celFieldPath')
  table.update('more', { 'spec/celTransition': 1 }, { 'spec/celTransition': 2 }, accepted())
  table.update('less', { 'spec/celTransition': 2 }, { 'spec/celTransition': 1 }, refused('spec.celTransition'))
  table.update('from nothing', {}, { 'spec/celTransition': 1 }, accepted())
  table.update('to nothing', { 'spec/celTransition': 1 }, { 'spec/celTransition': undefined }, accepted())
  table.update(
    'an optional old value that is there',
    { 'spec/celOptional': 'first' },
    { 'spec/celOptional': 'second' },
    accepted(),
  )
  table.update(
    'an optional old value that is not there',
    {},
    { 'spec/celOptional': 'second' },
    refused('spec.celOptional'),
  )
  const ports = (...frozen: readonly string[]): object => ({
    'spec/ports': frozen.map((text, port) => ({ port, frozen: text })),
  })
  table.update(
    'items of a list by keys are found again',
    { ...ports('a', 'b') },
    {
      'spec/ports': [
        { port: 1, frozen: 'b' },
        { port: 0, frozen: 'a' },
      ],
    },
    accepted(),
  )
  table.update(
    'and held to what they were',
    { ...ports('a', 'b') },
    { ...ports('a', 'c') },
    refused('spec.ports[1].frozen'),
  )
  table.update('new items are free', { ...ports('a') }, { ...ports('a', 'b') }, accepted())
  table.update(
    'values of maps are found again',
    { 'spec/frozenMap': { a: 'x' } },
    { 'spec/frozenMap': { a: 'y' } },
    refused('spec.frozenMap[a]'),
  )
  table.update(
    'new values of maps are free',
    { 'spec/frozenMap': { a: 'x' } },
    { 'spec/frozenMap': { a: 'x', b: 'y' } },
    accepted(),
  )
}

export const gadgetCases = (): readonly ConformanceCase[] => {
  const table = caseTable(gadgetKind, {
    apiVersion: 'test.kerf.dev/v1',
    kind: 'Gadget',
    metadata: { name: CASE_NAME },
    spec: {},
  })
  for (const [field, [good, bad]] of Object.entries(values)) {
    table.acceptsEach(`spec/${field}`, good)
    table.refusesEach(`spec/${field}`, bad, `spec.${field}`)
  }
  // The API server's summary error about alternatives has no field.
  table.refuses('a number beyond 32 bits', { 'spec/small': 2147483648 })
  table.refuses('none of two alternatives', { 'spec/one': {} }, 'spec.one.a')
  table.refuses('both alternatives', { 'spec/one': { a: 'x', b: 'y' } })
  table.refuses('what may not be', { 'spec/notIt': 'bad' })
  defaultCases(table)
  pruneCases(table)
  listCases(table)
  transitionCases(table)
  return table.cases
}
