import { ApiError } from '@kerf/runtime'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { builtinKind } from '../schema/type-schema.ts'
import { cloneObject, equal, type JsonObject } from '../store/json.ts'
import { applyJsonPatch } from './json-patch.ts'
import { applyMergePatch } from './merge-patch.ts'
import { applyStrategicPatch } from './strategic-patch.ts'

const refusal = (run: () => unknown): number => {
  try {
    run()
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
  return expect.fail('it was accepted')
}

describe('JSON patch', () => {
  test.each<[string, JsonObject, object[], JsonObject]>([
    ['adds a member', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['inserts into a list', { a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    ['appends to a list', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    ['removes an item', { a: [1, 2] }, [{ op: 'remove', path: '/a/0' }], { a: [2] }],
    ['reads ~1 and ~0', { 'a/b~c': 1 }, [{ op: 'replace', path: '/a~1b~0c', value: 2 }], { 'a/b~c': 2 }],
    ['moves', { a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, c: 1 }],
    [
      'copies without sharing',
      { a: [1] },
      [
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'add', path: '/b/-', value: 2 },
      ],
      { a: [1], b: [1, 2] },
    ],
    ['replaces the whole', { a: 1 }, [{ op: 'replace', path: '', value: { b: 1 } }], { b: 1 }],
    [
      'replaces a member that is not there by adding it',
      { a: {} },
      [{ op: 'replace', path: '/a/b', value: 1 }],
      { a: { b: 1 } },
    ],
    ['takes what is not there for null', { a: 1 }, [{ op: 'test', path: '/b/c', value: null }], { a: 1 }],
    ['adds null where it is given no value', { a: 1 }, [{ op: 'add', path: '/b' }], { a: 1, b: null }],
    ['tests deeply', { a: { b: [1] } }, [{ op: 'test', path: '/a', value: { b: [1] } }], { a: { b: [1] } }],
  ])('%s', (_, document, operations, expected) => {
    expect(applyJsonPatch(cloneObject(document), operations)).toEqual(expected)
  })

  test.each<[string, object[], number]>([
    ['a failed test', [{ op: 'test', path: '/a', value: 2 }], 422],
    ['the removal of nothing', [{ op: 'remove', path: '/x' }], 422],
    ['an index behind the end', [{ op: 'add', path: '/l/5', value: 1 }], 422],
    ['a replacement behind the end', [{ op: 'replace', path: '/l/0', value: 1 }], 422],
    ['an invalid list index', [{ op: 'add', path: '/l/length', value: 1 }], 422],
    ['a member of a number', [{ op: 'add', path: '/a/b', value: 1 }], 422],
    ['a move of nothing', [{ op: 'move', from: '/x', path: '/y' }], 422],
    ['the removal of the whole', [{ op: 'remove', path: '' }], 422],
    ['what is no operation', ['add'] as unknown as object[], 400],
    ['an unknown operation', [{ op: 'swap', path: '/a' }], 422],
    ['a path without a slash', [{ op: 'add', path: 'a', value: 1 }], 400],
  ])('refuses %s', (_, operations, code) => {
    expect(refusal(() => applyJsonPatch({ a: 1, l: [] }, operations))).toBe(code)
  })
})

describe('merge patch', () => {
  // The cases of RFC 7386, appendix A, in which both document and patch are objects.
  test.each<[JsonObject, JsonObject, JsonObject]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j + %j = %j', (target, patch, expected) => {
    expect(applyMergePatch(cloneObject(target), patch)).toEqual(expected)
  })

  test('applying it again changes nothing', () => {
    const json = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.oneof(fc.integer(), fc.constant(null), fc.dictionary(fc.constantFrom('a', 'b'), fc.integer())),
    )
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const once = applyMergePatch(cloneObject(target), patch as JsonObject)
        return equal(applyMergePatch(cloneObject(once), patch as JsonObject), once)
      }),
    )
  })
})

describe('strategic merge patch', () => {
  const podType = builtinKind('', 'v1', 'Pod')
  const pod = (): JsonObject => ({
    spec: {
      containers: [
        { name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }], ports: [{ containerPort: 80 }] },
        { name: 'b', image: 'b:1' },
      ],
      tolerations: [{ key: 'old' }],
      volumes: [{ name: 'v', emptyDir: {} }],
    },
    metadata: { finalizers: ['one', 'two'] },
  })
  const patched = (patch: JsonObject): JsonObject => applyStrategicPatch(pod(), patch, podType)

  test('merges lists by their key and keeps items that it does not name', () => {
    expect(
      patched({
        spec: {
          containers: [
            { name: 'b', image: 'b:2' },
            { name: 'c', image: 'c:1' },
          ],
        },
      })['spec'],
    ).toMatchObject({
      containers: [
        { name: 'a', image: 'a:1' },
        { name: 'b', image: 'b:2' },
        { name: 'c', image: 'c:1' },
      ],
    })
  })

  test('replaces lists without a key', () => {
    expect(patched({ spec: { tolerations: [{ key: 'new' }] } })['spec']).toMatchObject({
      tolerations: [{ key: 'new' }],
    })
  })

  test('$patch: delete removes an item, $patch: replace replaces the whole list', () => {
    expect(patched({ spec: { containers: [{ name: 'a', $patch: 'delete' }] } })['spec']).toMatchObject({
      containers: [{ name: 'b' }],
    })
    expect(patched({ spec: { containers: [{ $patch: 'replace' }, { name: 'z' }] } })['spec']).toMatchObject({
      containers: [{ name: 'z' }],
    })
  })

  test('$retainKeys drops the other members', () => {
    expect(
      patched({ spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] } })[
        'spec'
      ],
    ).toMatchObject({
      volumes: [{ name: 'v', hostPath: { path: '/x' } }],
    })
    expect(
      JSON.stringify(
        patched({ spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] } }),
      ),
    ).not.toContain('emptyDir')
  })

  test('$setElementOrder sorts, $deleteFromPrimitiveList removes values', () => {
    const sorted = patched({
      spec: {
        '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
        containers: [{ name: 'b', image: 'b:3' }],
      },
    })
    expect(sorted['spec']).toMatchObject({ containers: [{ name: 'b', image: 'b:3' }, { name: 'a' }] })
    expect(patched({ metadata: { '$deleteFromPrimitiveList/finalizers': ['one'] } })['metadata']).toEqual({
      finalizers: ['two'],
    })
  })

  test('an item without its key is refused', () => {
    expect(refusal(() => patched({ spec: { containers: [{ image: 'x' }] } }))).toBe(400)
  })
})
