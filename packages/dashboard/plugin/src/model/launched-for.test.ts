import { expect, test } from 'vitest'
import { launchedFor } from './launched-for.ts'

test.each<[string, unknown, readonly string[]]>([
  [
    'each owner, with its kind and namespace',
    'Job/shop/sums,ReplicaSet/shop/web',
    ['Job shop/sums', 'ReplicaSet shop/web'],
  ],
  ['nothing without the annotation', undefined, []],
  ['nothing if the annotation is empty', '', []],
])('a claim names %s', (_, value, expected) => {
  expect(launchedFor({ metadata: { annotations: { 'kerf.sh/launched-for': value } } })).toEqual(expected)
})
