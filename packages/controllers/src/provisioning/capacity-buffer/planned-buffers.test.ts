import type { KubeObject } from '@kerf/apis'
import { expect, test } from 'vitest'
import { planBuffers } from './planned-buffers.ts'

const template = (namespace: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 't', namespace },
    template: { metadata: {}, spec: { containers: [{ name: 'main', image: 'x' }] } },
  }) as KubeObject

const buffer = (name: string, namespace: string, more: object = {}): KubeObject =>
  ({
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name, namespace },
    spec: { podTemplateRef: { name: 't' }, replicas: 1 },
    ...more,
  }) as KubeObject

const planned = (...objects: readonly KubeObject[]) => planBuffers(objects, true, new AbortController().signal)

test('a template applies only to buffers in its own namespace', async () => {
  const { counted, failed } = await planned(template('a'), buffer('x', 'a'), buffer('y', 'b'))
  expect(counted).toEqual(['a/x'])
  expect(failed).toEqual(['CapacityBuffer b/y: PodTemplate b/t does not exist'])
})

test('a buffer that is being deleted reserves no capacity', async () => {
  const metadata = { name: 'x', namespace: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' }
  expect(await planned(template('a'), buffer('x', 'a', { metadata }))).toMatchObject({ counted: [], failed: [] })
})

test('an invalid buffer does not stop the others', async () => {
  const { counted, failed } = await planned(template('a'), buffer('broken', 'a', { spec: null }), buffer('x', 'a'))
  expect(counted).toEqual(['a/x'])
  expect(failed).toEqual([expect.stringMatching(/^CapacityBuffer a\/broken: ./)])
})

test('two buffers from files have different replicas', async () => {
  const { pods } = await planned(template('a'), buffer('x', 'a'), buffer('y', 'a'))
  expect(new Set(pods.map(({ metadata }) => metadata.uid)).size).toBe(2)
})
