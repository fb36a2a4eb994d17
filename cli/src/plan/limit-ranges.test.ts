import type { KubeObject, Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { LimitRanges } from './limit-ranges.ts'

const range = (item: object, namespace = 'default'): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'defaults', namespace },
    spec: { limits: [{ type: 'Container', ...item }] },
  }) as KubeObject
const written = (resources: object): Pod => {
  const { uid: _, ...metadata } = pod('a').metadata
  return { ...pod('a'), metadata, spec: { containers: [{ name: 'c', resources }] } }
}
const requests = (item: object, resources: object = {}, namespace?: string): object | undefined =>
  new LimitRanges([range(item, namespace)]).admit(written(resources)).spec.containers[0]?.resources?.requests

test('the default request, else the default limit, else the maximum, else the minimum', () => {
  expect(requests({ defaultRequest: { cpu: '1' }, default: { cpu: '2' } })).toEqual({ cpu: '1' })
  expect(requests({ default: { cpu: '2' }, max: { cpu: '4' }, min: { cpu: '1' } })).toEqual({ cpu: '2' })
  expect(requests({ max: { cpu: '4' }, min: { cpu: '1', memory: '1Gi' } })).toEqual({ cpu: '4', memory: '1Gi' })
})

test('what a container says itself stays, its limits too; other namespaces and stored pods are left alone', () => {
  const item = { defaultRequest: { cpu: '1', memory: '1Gi' } }
  expect(requests(item, { requests: { cpu: '3' } })).toEqual({ cpu: '3', memory: '1Gi' })
  expect(requests(item, { limits: { cpu: '3' } })).toEqual({ cpu: '3', memory: '1Gi' })
  expect(requests(item, {}, 'other')).toBeUndefined()
  const stored = pod('a', { metadata: { uid: 'u' }, spec: { containers: [{ name: 'c' }] } })
  expect(new LimitRanges([range(item)]).admit(stored)).toBe(stored)
})
