import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { builtinKind, builtinType } from '../../schema/type-schema.ts'
import type { JsonObject } from '../../store/json.ts'
import { fieldSetDifference, fieldSetIntersection, fieldSetUnion, formatFieldSet, parseFieldSet } from './field-set.ts'
import { collectFieldSet, differenceBetween, mergeTyped, removePaths } from './typed-walk.ts'

const deployment = builtinKind('apps', 'v1', 'Deployment') ?? builtinType('')
const service = builtinKind('', 'v1', 'Service') ?? builtinType('')

const container = (name: string, more: JsonObject = {}): JsonObject => ({ name, ...more })
const withContainers = (...containers: JsonObject[]): JsonObject => ({ spec: { template: { spec: { containers } } } })

describe('field sets', () => {
  test('identify list items by their keys, with the default for a missing key', () => {
    expect(
      formatFieldSet(
        collectFieldSet({ spec: { ports: [{ port: 80, name: 'web' }], selector: { app: 'x' } } }, service),
      ),
    ).toEqual({
      'f:spec': {
        'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } },
        'f:selector': {},
      },
    })
  })

  test('survive serialization and support set operations', () => {
    const tree = fc.letrec((tie) => ({
      node: fc.dictionary(fc.constantFrom('f:a', 'f:b', '.'), fc.oneof({ maxDepth: 3 }, fc.constant({}), tie('node'))),
    })).node
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        const left = parseFieldSet(a)
        const right = parseFieldSet(b)
        const text = (set: typeof left) => JSON.stringify(formatFieldSet(set))
        expect(text(parseFieldSet(formatFieldSet(fieldSetUnion(left, left))))).toBe(text(fieldSetUnion(left, left)))
        expect(text(fieldSetUnion(fieldSetDifference(left, right), fieldSetIntersection(left, right)))).toBe(
          text(fieldSetUnion(left, left)),
        )
      }),
    )
  })
})

describe('merging', () => {
  test('merges keyed lists and structures, and replaces atomic lists', () => {
    const live = withContainers(container('a', { image: 'a:1', args: ['x'] }), container('b', { image: 'b:1' }))
    const merged = mergeTyped(
      live,
      withContainers(container('b', { image: 'b:2' }), container('a', { args: ['y'] })),
      deployment,
    )
    expect(merged).toEqual(
      withContainers(container('a', { image: 'a:1', args: ['y'] }), container('b', { image: 'b:2' })),
    )
  })

  test('reports changed and removed fields', () => {
    const before = withContainers(container('a', { image: 'a:1' }), container('b'))
    const after = withContainers(container('a', { image: 'a:2' }), container('c'))
    const { changed, removed } = differenceBetween(before, after, deployment)
    const at = ['f:spec', 'f:template', 'f:spec', 'f:containers']
    const inside = (set: unknown): unknown =>
      at.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], set)
    expect(inside(formatFieldSet(changed))).toEqual({
      'k:{"name":"a"}': { 'f:image': {} },
      'k:{"name":"c"}': { '.': {}, 'f:name': {} },
    })
    expect(inside(formatFieldSet(removed))).toEqual({ 'k:{"name":"b"}': { '.': {}, 'f:name': {} } })
  })

  test('removes paths, and structures that become empty', () => {
    const object = { spec: { replicas: 2 }, metadata: { name: 'x', labels: { a: '1', b: '2' } } }
    const gone = parseFieldSet({ 'f:spec': { 'f:replicas': {} }, 'f:metadata': { 'f:labels': { 'f:a': {} } } })
    expect(removePaths(object, gone, deployment)).toEqual({ metadata: { name: 'x', labels: { b: '2' } } })
  })
})
