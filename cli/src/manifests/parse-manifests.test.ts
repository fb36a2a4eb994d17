import { describe, expect, test } from 'vitest'
import { parseManifests } from './parse-manifests.ts'

const kinds = (text: string, file = 'a.yaml'): readonly string[] =>
  parseManifests(text, file).map(({ object, line }) => `${line} ${object.kind}/${object.metadata.name}`)

test('documents keep their order and their lines; empty ones are skipped', () => {
  const text =
    '# head\napiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\n---\n# only a comment\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n'
  expect(kinds(text)).toEqual(['2 Namespace/a', '9 Namespace/b'])
})

test('lists are flattened, typed lists lend their items kind and version', () => {
  expect(kinds('{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"p"}}]}', 'a.json')).toEqual([
    '1 Pod/p',
  ])
  expect(kinds('apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: q}}\n')).toEqual(
    ['3 Pod/q'].map((each) => each.replace('3', '1')),
  )
})

test('YAML may begin with a brace and go on with further documents', () => {
  expect(
    kinds('{apiVersion: v1, kind: Pod, metadata: {name: a}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: b}}\n'),
  ).toEqual(['1 Pod/a', '3 Pod/b'])
})

test('a big file read by the fast parser has the same objects at the same lines', () => {
  const one = (index: number): string =>
    `apiVersion: v1\nkind: Pod\nmetadata:\n  name: p-${index}\n  annotations:\n    note: ${'x'.repeat(400)}\n`
  const text = Array.from({ length: 600 }, (_, index) => one(index)).join('---\n')
  expect(text.length).toBeGreaterThan(200_000)
  const found = parseManifests(text, 'big.yaml')
  expect(found).toHaveLength(600)
  expect(found[599]?.object.metadata.name).toBe('p-599')
  expect(found[2]?.line).toBe(15)
})

describe('one line that names file and place', () => {
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
