import type { Deployment, KubeObject, Pod } from '@kerf/apis'
import { pod as buildPod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import type { Change } from './informer.ts'
import { informerKey, parseKey } from './key-of.ts'
import { Mirror } from './mirror.ts'
import { leanPod, leanWorkload } from './projection.ts'
import { compareResourceVersions } from './resource-version.ts'

const object = (uid: string, resourceVersion: string): KubeObject =>
  buildPod('cart', { namespace: 'shop', metadata: { uid, resourceVersion } })

test('a late event about an object that has been deleted and created again does not restore the old object', () => {
  const mirror = new Mirror<KubeObject>(() => {})
  const changes: Change<KubeObject>[] = []
  mirror.upsert(object('new', '12'))
  mirror.onChange((change) => changes.push(change))
  changes.length = 0
  mirror.upsert(object('old', '9'))
  mirror.remove('shop/cart', 'old')
  expect(changes).toEqual([])
  expect(mirror.get('shop/cart')?.metadata.uid).toBe('new')
})

describe('resource versions', () => {
  test.each([
    ['9', '10', -1],
    ['10', '9', 1],
    ['10', '10', 0],
    ['18446744073709551614', '18446744073709551615', -1],
    ['', '1', -1],
  ])('%s and %s are compared as numbers', (a, b, sign) => {
    expect(Math.sign(compareResourceVersions(a, b))).toBe(sign)
  })
})

test('keys convert to an object reference and back', () => {
  expect(informerKey(object('u', '1'))).toBe('shop/cart')
  expect(parseKey('shop/cart')).toEqual({ namespace: 'shop', name: 'cart' })
  expect(parseKey('node-1')).toEqual({ name: 'node-1' })
})

test('a lean pod keeps the fields that affect scheduling, and drops those that affect only its execution', () => {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'cart', namespace: 'shop', managedFields: [{ manager: 'kubectl' }] },
    spec: {
      containers: [
        Object.assign(
          {
            name: 'web',
            image: 'nginx',
            resources: { requests: { cpu: '1' } },
            ports: [{ containerPort: 80, hostPort: 80 }],
          },
          { env: [{ name: 'A', value: 'b' }], command: ['run'], volumeMounts: [{ name: 'token' }] },
        ),
      ],
      volumes: [
        { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      ],
      nodeSelector: { zone: 'a' },
    },
    status: {
      ...{
        phase: 'Running',
        podIP: '10.0.0.1',
        podIPs: [{ ip: '10.0.0.1' }],
        hostIP: '10.1.0.1',
        qosClass: 'Burstable',
      },
      ...{ reason: 'Evicted', message: 'out of memory', startTime: '2026-01-01T00:00:00Z', nominatedNodeName: 'a' },
      resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'web-gpu' }],
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
      containerStatuses: [
        { name: 'web', ready: true, containerID: 'containerd://1', resources: { requests: { cpu: '1' } } },
        { name: 'side', ready: true, containerID: 'containerd://2' },
      ],
      initContainerStatuses: [{ name: 'first', ready: true, allocatedResources: { cpu: '2' } }],
    },
  }
  expect(leanPod(pod)).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'nginx',
          resources: { requests: { cpu: '1' } },
          ports: [{ containerPort: 80, hostPort: 80 }],
        },
      ],
      volumes: [
        { name: 'token', projected: {} },
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      ],
      nodeSelector: { zone: 'a' },
    },
    status: {
      ...{ phase: 'Running', reason: 'Evicted', message: 'out of memory' },
      ...{ startTime: '2026-01-01T00:00:00Z', nominatedNodeName: 'a' },
      resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'web-gpu' }],
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
      containerStatuses: [{ name: 'web', resources: { requests: { cpu: '1' } } }],
      initContainerStatuses: [{ name: 'first', allocatedResources: { cpu: '2' } }],
    },
  })
  expect(pod.spec.containers[0]).toHaveProperty('env')
})

test('a lean workload keeps its pod selector and the fields that show a change', () => {
  const selector = { matchLabels: { app: 'web' } }
  const deployment: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', generation: 3, annotations: { long: 'text' }, managedFields: [{ manager: 'kubectl' }] },
    spec: { replicas: 2, selector, template: { spec: { containers: [{ name: 'main', image: 'app' }] } } },
    status: { replicas: 2 },
  }
  expect(leanWorkload(deployment)).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', generation: 3 },
    spec: { replicas: 2, selector, template: { spec: { containers: [] } } },
    status: { replicas: 2 },
  })
})
