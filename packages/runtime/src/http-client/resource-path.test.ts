import { kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { resourcePath, withQuery } from './resource-path.ts'

test('paths of collections, objects and subresources, in the core group and in others', () => {
  expect(resourcePath(kinds.Node)).toBe('/api/v1/nodes')
  expect(resourcePath(kinds.Pod)).toBe('/api/v1/pods')
  expect(resourcePath(kinds.Pod, { namespace: '' })).toBe('/api/v1/pods')
  expect(resourcePath(kinds.Pod, { namespace: 'shop', name: 'cart', subresource: 'eviction' })).toBe(
    '/api/v1/namespaces/shop/pods/cart/eviction',
  )
  expect(resourcePath(kinds.Deployment, { namespace: 'shop' })).toBe('/apis/apps/v1/namespaces/shop/deployments')
  // A cluster-scoped resource kind has no namespace, even if the object names one.
  expect(resourcePath(kinds.Node, { namespace: 'shop', name: 'a' })).toBe('/api/v1/nodes/a')
})

test('special characters in names do not change the structure of a path', () => {
  expect(resourcePath(kinds.Pod, { namespace: 'a/b', name: '../c?d' })).toBe('/api/v1/namespaces/a%2Fb/pods/..%2Fc%3Fd')
})

test('a query contains only the parameters that are set', () => {
  expect(withQuery('/x', { a: undefined })).toBe('/x')
  expect(withQuery('/x', { a: 0, b: false, c: 'd e', f: undefined })).toBe('/x?a=0&b=false&c=d+e')
})
