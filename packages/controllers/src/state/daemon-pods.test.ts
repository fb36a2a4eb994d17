import { type DaemonSet, kinds, type Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { manualState } from '../testing/by-hand/manual-state.ts'
import { daemonSetPod } from './daemon-pods.ts'

const onLinux = {
  nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'In' as const, values: ['linux'] }] }],
}
const daemonSet = (spec: Partial<Pod['spec']> = {}): DaemonSet => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'kube-system', uid: 'agent-uid' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: {
      metadata: { labels: { app: 'agent' } },
      spec: {
        containers: [
          { name: 'agent', resources: { limits: { cpu: '200m', memory: '64Mi' }, requests: { cpu: '50m' } } },
        ],
        ...spec,
      },
    },
  },
})
const real = (name: string, created: string): Pod =>
  pod(name, {
    nodeName: 'a',
    requests: { cpu: '70m' },
    owner: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent-uid' },
    metadata: { creationTimestamp: created, uid: name, labels: { 'controller-revision-hash': '1' } },
    spec: {
      containers: [{ name: 'agent' }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
          },
        },
      },
    },
  })

describe('the pod that a DaemonSet would run', () => {
  test('is built from the template if no pod exists, and limits replace missing requests', () => {
    const made = daemonSetPod(daemonSet(), undefined)
    expect(made.metadata).toMatchObject({ name: 'agent', namespace: 'kube-system', labels: { app: 'agent' } })
    expect(made.spec.containers[0]?.resources?.requests).toEqual({ cpu: '50m', memory: '64Mi' })
  })

  test('is an existing pod, with the node affinity of the template instead of the host affinity', () => {
    const newest = real('agent-1', '2026-01-01T00:00:00Z')
    const plain = daemonSetPod(daemonSet(), newest)
    expect(plain.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toBeUndefined()
    expect(plain.spec.nodeName).toBeUndefined()
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: onLinux } }
    const chosen = daemonSetPod(daemonSet({ affinity }), newest)
    expect(chosen.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual(onLinux)
    expect(newest.spec.nodeName).toBe('a')
  })
})

test('is based on the newest existing pod, even after that pod is deleted and another becomes the newest', () => {
  const { informers, state } = manualState()
  const newest = (): string | undefined => state.pods.daemonPod('agent-uid')?.metadata.name
  expect(newest()).toBeUndefined()
  informers.put(kinds.Pod, real('agent-2', '2026-01-02T00:00:00Z'), real('agent-1', '2026-01-01T00:00:00Z'))
  expect(newest()).toBe('agent-2')
  informers.put(kinds.Pod, real('agent-3', '2026-01-03T00:00:00Z'))
  expect(newest()).toBe('agent-3')
  informers.delete(kinds.Pod, 'default/agent-3')
  expect(newest()).toBe('agent-2')
  // A DaemonSet may adopt a pod that it did not create. The spec of this pod may differ from the DaemonSet's template.
  const { metadata, ...rest } = real('adopted', '2026-01-09T00:00:00Z')
  informers.put(kinds.Pod, { ...rest, metadata: { ...metadata, labels: { app: 'agent' } } })
  expect(newest()).toBe('agent-2')
  informers.delete(kinds.Pod, 'default/agent-2')
  informers.delete(kinds.Pod, 'default/agent-1')
  expect(newest()).toBeUndefined()
})
