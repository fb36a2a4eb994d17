import { nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { parseManifests } from './parse-manifests.ts'

const kinds = (text: string, file = 'a.yaml'): readonly string[] =>
  parseManifests(text, file).map(({ object, line }) => `${line} ${object.kind}/${object.metadata.name}`)

test('keeps the order and the lines of documents, and skips empty documents', () => {
  const text =
    '# head\napiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\n---\n# only a comment\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n'
  expect(kinds(text)).toEqual(['2 Namespace/a', '9 Namespace/b'])
})

test('flattens lists, and items of a typed list get its kind and version', () => {
  expect(kinds('{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"p"}}]}', 'a.json')).toEqual([
    '1 Pod/p',
  ])
  expect(kinds('apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: q}}\n')).toEqual(
    ['3 Pod/q'].map((each) => each.replace('3', '1')),
  )
  expect(kinds('{"apiVersion":"v1","kind":"PodList","items":null}')).toEqual([])
})

test('reads several consecutive JSON objects, regardless of the file name', () => {
  const one = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, null, 2)
  const found = ['1 Namespace/a', '8 Namespace/b']
  expect(kinds(`${one('a')}\n${one('b')}\n`, 'a.json')).toEqual(found)
  expect(kinds(`${one('a')}\n${one('b')}`, 'a.yaml')).toEqual(found)
  expect(kinds('apiVersion: v1\nkind: Namespace\nmetadata: {name: "a"}\n', 'a.json')).toEqual(['1 Namespace/a'])
  expect(kinds(`${one('a {[}"\\')}${one('b')}`, 'a.json')).toEqual(['1 Namespace/a {[}"\\', '7 Namespace/b'])
  expect(kinds(`\n\n${one('a')}`, 'a.json')).toEqual(['3 Namespace/a'])
})

test('reads YAML that begins with a brace and has further documents', () => {
  expect(
    kinds('{apiVersion: v1, kind: Pod, metadata: {name: a}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: b}}\n'),
  ).toEqual(['1 Pod/a', '3 Pod/b'])
})

/** Returns the YAML of pods with values that YAML 1.1 and 1.2 read differently, in block and flow style. */
const pods = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `--- # number ${index}
apiVersion: v1
kind: Pod
metadata:
  name: p-${index}
  creationTimestamp: 2024-01-01T00:00:00Z
  labels: {release: 2024-01-01, build: 1_000, canary: yes, mode: 0o644, time: 12:30:00}
  annotations:
    note: |
      --- this is no document
      ${'x'.repeat(300)}
---
{apiVersion: v1, kind: Namespace, metadata: {name: n-${index}, labels: {since: 2001-12-14}}}
`,
  ).join('')

test('reads the same objects and lines from a file of any size', () => {
  const few = parseManifests(pods(2), 'few.yaml')
  expect(few.map(({ object, line }) => `${line} ${object.metadata.name}`)).toEqual([
    '2 p-0',
    '13 n-0',
    '15 p-1',
    '26 n-1',
  ])
  expect(few[2]?.object.metadata).toMatchObject({
    creationTimestamp: '2024-01-01T00:00:00Z',
    labels: { release: '2024-01-01', build: 1_000, canary: true, mode: 420, time: '12:30:00' },
  })
  const text = pods(600)
  expect(text.length).toBeGreaterThan(250_000)
  const many = parseManifests(text, 'many.yaml')
  expect(many).toHaveLength(1_200)
  expect(many.slice(0, 4).map(({ object, line }) => ({ object, line }))).toEqual(
    few.map(({ object, line }) => ({ object, line })),
  )
  expect(many.at(-1)).toMatchObject({ line: 599 * 13 + 13, object: { metadata: { name: 'n-599' } } })
})

test('reports the position of a YAML error even in a large file', () => {
  const text = `${pods(600)}---\na: [1,\n`
  expect(() => parseManifests(text, 'many.yaml')).toThrow(/^many\.yaml:7803:\d+: not valid YAML: /)
})

describe('errors are one line with file and position', () => {
  test.each([
    ['a: [1,', 'a.yaml', /^a\.yaml:1:\d+: not valid YAML: /],
    ['{"a": ', 'a.json', /^a\.json: not valid JSON: /],
    ['- 1', 'a.yaml', /^a\.yaml:1: a manifest must be an object .* this is a number$/],
    ['kind: Pod\nmetadata: {name: a}', 'a.yaml', /^a\.yaml:1: apiVersion is missing$/],
    ['apiVersion: v1\nmetadata: {name: a}', 'a.yaml', /^a\.yaml:1: kind is missing$/],
    ['apiVersion: v1\nkind: Pod', 'a.yaml', /^a\.yaml:1: Pod: metadata is missing$/],
    ['---\napiVersion: v1\nkind: Pod\nmetadata: {}', 'a.yaml', /^a\.yaml:2: Pod: metadata.name is missing$/],
  ])('%j', (text, file, message) => {
    expect(() => parseManifests(text, file)).toThrow(message)
  })
})

test('reads the objects that existed at the beginning of a recording', () => {
  const pool = nodePool('general')
  const text = JSON.stringify({ recording: { from: '2026-01-01T00:00:00Z' }, objects: [pool], events: [] })
  expect(parseManifests(text, 'yesterday.json').map(({ object }) => object)).toEqual([pool])
})
