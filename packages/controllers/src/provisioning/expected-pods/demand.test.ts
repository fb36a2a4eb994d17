import type { Job, Pod, ReplicaSet, StatefulSet } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import type { Demand } from './demand.ts'
import { jobDemand } from './job-demand.ts'
import { replicasDemand } from './replicas-demand.ts'
import { statefulSetDemand } from './stateful-set-demand.ts'

const TERMINATING = { deletionTimestamp: '2026-01-01T00:00:00Z' }

/**
 * Returns the demand as text: either the reason why no pods are expected, or the number of missing pods, the name of the template, and the
 * names of the missing pods.
 */
const text = (demand: Demand): string =>
  demand.kind === 'none'
    ? demand.reason
    : `${demand.count} like ${demand.template.metadata.name}${demand.names === undefined ? '' : `: ${demand.names.join(' ')}`}`

const set = (spec: Partial<ReplicaSet['spec']>, status?: ReplicaSet['status'], hash?: string): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', ...(hash === undefined ? {} : { labels: { 'pod-template-hash': hash } }) },
  spec: { selector: {}, ...spec },
  ...(status === undefined ? {} : { status }),
})
const failing = { conditions: [{ type: 'ReplicaFailure', status: 'True' as const }] }
const hashed = (name: string, hash: string): Pod => pod(name, { labels: { 'pod-template-hash': hash } })
const at = (name: string, creationTimestamp: string): Pod => pod(name, { metadata: { creationTimestamp } })

test.each<[string, ReplicaSet, readonly Pod[], string, number?]>([
  ['without `replicas`, one pod is enough', set({}), [pod('a')], 'complete'],
  ['the first pod is the template', set({ replicas: 3 }), [pod('a')], '2 like a'],
  ['without a pod, no pods are expected', set({ replicas: 3 }), [], 'no-pod-of-revision'],
  ['terminating pods are replaced', set({ replicas: 2 }), [pod('a'), pod('b', { metadata: TERMINATING })], '1 like a'],
  ['finished pods are replaced', set({ replicas: 2 }), [pod('a'), pod('b', { phase: 'Failed' })], '1 like a'],
  ['more pods than replicas', set({ replicas: 0 }), [pod('a')], 'surplus'],
  ['pods that the API server refused', set({ replicas: 3 }, failing), [pod('a')], 'replica-failure'],
  [
    'pods of another revision do not count',
    set({ replicas: 3 }, undefined, 'x'),
    [hashed('a', 'y')],
    'no-pod-of-revision',
  ],
  [
    'the revision of a Deployment',
    set({ replicas: 3 }, undefined, 'x'),
    [hashed('a', 'x'), hashed('b', 'y')],
    '1 like a',
  ],
  [
    'the newest pod counts',
    set({ replicas: 3 }),
    [at('b', '2026-01-01T00:00:00Z'), at('a', '2026-01-02T00:00:00Z')],
    '1 like a',
  ],
  [
    'pods before an edit of the template',
    set({ replicas: 3 }),
    [at('a', '2026-01-01T00:00:00Z')],
    'no-pod-of-revision',
    Date.UTC(2026, 0, 2),
  ],
  [
    'a pod that was created in the same second as the edit',
    set({ replicas: 3 }),
    [at('a', '2026-01-02T00:00:00Z')],
    '2 like a',
    Date.UTC(2026, 0, 2) + 500,
  ],
])('ReplicaSet: %s', (_, owner, pods, expected, since = 0) => {
  expect(text(replicasDemand(owner, pods, since))).toBe(expected)
})

const job = (spec: Partial<Job['spec']>, status?: Job['status']): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'sums' },
  spec: { template: { spec: { containers: [] } }, ...spec },
  ...(status === undefined ? {} : { status }),
})
const done = (name: string, finalizers: readonly string[] = []): Pod =>
  pod(name, { phase: 'Succeeded', metadata: { uid: name, finalizers } })
const TRACKING = ['batch.kubernetes.io/job-tracking']

test.each<[string, Job, readonly Pod[], string]>([
  ['parallelism', job({ parallelism: 5, completions: 9 }), [pod('a')], '4 like a'],
  ['one pod by default', job({ completions: 1 }), [pod('a')], 'complete'],
  [
    'no more pods than completions are left',
    job({ parallelism: 5, completions: 9 }, { succeeded: 6 }),
    [pod('a')],
    '2 like a',
  ],
  [
    'a success that the status does not count yet',
    job({ parallelism: 5, completions: 9 }, { succeeded: 6 }),
    [pod('a'), done('b', TRACKING)],
    '1 like a',
  ],
  [
    'a success that the status counts',
    job({ parallelism: 5, completions: 9 }, { succeeded: 6 }),
    [pod('a'), done('b')],
    '2 like a',
  ],
  [
    'a success that is being counted',
    job({ parallelism: 5, completions: 9 }, { succeeded: 6, uncountedTerminatedPods: { succeeded: ['b'] } }),
    [pod('a'), done('b', TRACKING)],
    '1 like a',
  ],
  ['a work queue', job({ parallelism: 5 }), [pod('a')], '4 like a'],
  ['a work queue after its first success', job({ parallelism: 5 }, { succeeded: 1 }), [pod('a')], 'complete'],
  [
    'a pod that may fail at once',
    job({ parallelism: 5, completions: 9 }),
    [pod('a'), pod('b', { nodeName: 'n' })],
    'unproven',
  ],
  [
    'a pod that runs after another has succeeded',
    job({ parallelism: 5, completions: 9 }, { succeeded: 1 }),
    [pod('b', { nodeName: 'n' })],
    '4 like b',
  ],
  [
    'a pod that kube-scheduler has not tried',
    job({ parallelism: 5, completions: 9 }),
    [{ ...pod('a'), status: { phase: 'Pending' } }],
    'unproven',
  ],
  ['suspended', job({ parallelism: 5, completions: 9, suspend: true }), [pod('a')], 'suspended'],
  [
    'managed by Kubernetes',
    job({ parallelism: 2, completions: 2, managedBy: 'kubernetes.io/job-controller' }),
    [pod('a')],
    '1 like a',
  ],
  [
    'managed by another controller',
    job({ parallelism: 2, completions: 2, managedBy: 'example.com/queue' }),
    [pod('a')],
    'managed-elsewhere',
  ],
  [
    'failed pods delay the next ones',
    job({ parallelism: 5, completions: 9 }, { failed: 1 }),
    [pod('a')],
    'failed-pods',
  ],
  [
    'a failure that the status does not count yet',
    job({ parallelism: 5, completions: 9 }),
    [pod('a'), pod('b', { phase: 'Failed' })],
    'failed-pods',
  ],
  [
    'failed indexes are not tried again',
    job({ parallelism: 9, completions: 9, backoffLimitPerIndex: 1 }, { failedIndexes: '1,3-5', succeeded: 5 }),
    [],
    'complete',
  ],
  [
    'a terminating pod is replaced',
    job({ parallelism: 2, completions: 9 }),
    [pod('a'), pod('b', { metadata: TERMINATING })],
    '1 like a',
  ],
  [
    'a terminating pod is replaced once it has ended',
    job({ parallelism: 2, completions: 9, podReplacementPolicy: 'Failed' }),
    [pod('a'), pod('b', { metadata: TERMINATING })],
    'complete',
  ],
  [
    'ended',
    job({ parallelism: 2, completions: 9 }, { conditions: [{ type: 'Complete', status: 'True' }] }),
    [pod('a')],
    'complete',
  ],
])('Job: %s', (_, owner, pods, expected) => {
  expect(text(jobDemand(owner, pods))).toBe(expected)
})

const stateful = (
  spec: Partial<StatefulSet['spec']>,
  status: Partial<StatefulSet['status']> = {},
  generation = 1,
): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', generation },
  spec: { selector: {}, template: { spec: { containers: [] } }, ...spec },
  status: { observedGeneration: 1, currentRevision: 'old', updateRevision: 'new', ...status },
})
const member = (ordinal: number, { isReady = true, revision = 'new', metadata = {} } = {}): Pod =>
  pod(`db-${ordinal}`, {
    labels: { 'controller-revision-hash': revision },
    metadata,
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  })
const parallel = { podManagementPolicy: 'Parallel' } as const

test.each<[string, StatefulSet, readonly Pod[], string]>([
  [
    'with Parallel, all missing ordinals are expected',
    stateful({ ...parallel, replicas: 4 }),
    [member(1, { isReady: false })],
    '3 like db-1: db-0 db-2 db-3',
  ],
  ['with OrderedReady, the next ordinal is expected', stateful({ replicas: 4 }), [member(0)], '1 like db-0: db-1'],
  [
    'with OrderedReady, nothing is expected before the earlier pod is Ready',
    stateful({ replicas: 4 }),
    [member(0, { isReady: false })],
    'waits-for-ordinal',
  ],
  ['with OrderedReady, a gap is filled first', stateful({ replicas: 4 }), [member(0), member(2)], '1 like db-2: db-1'],
  ['all exist', stateful({ replicas: 2 }), [member(0), member(1)], 'complete'],
  [
    'the first ordinal',
    stateful({ ...parallel, replicas: 2, ordinals: { start: 5 } }),
    [member(5)],
    '1 like db-5: db-6',
  ],
  [
    'a partition keeps the old revision',
    stateful({ ...parallel, replicas: 4, updateStrategy: { rollingUpdate: { partition: 2 } } }),
    [member(0, { revision: 'old' }), member(2)],
    '1 like db-2: db-3',
  ],
  [
    'a partition counts from the first ordinal',
    stateful({ ...parallel, replicas: 4, ordinals: { start: 5 }, updateStrategy: { rollingUpdate: { partition: 2 } } }),
    [member(5, { revision: 'old' }), member(7), member(8)],
    '1 like db-5: db-6',
  ],
  [
    'no pod of the revision',
    stateful({ ...parallel, replicas: 2 }),
    [member(0, { revision: 'old' })],
    'no-pod-of-revision',
  ],
  ['a status of an older generation', stateful({ ...parallel, replicas: 2 }, {}, 2), [member(0)], 'no-pod-of-revision'],
  [
    'a terminating pod is replaced under the same name',
    stateful({ ...parallel, replicas: 2 }),
    [member(0), member(1, { metadata: TERMINATING })],
    '1 like db-0: db-1',
  ],
])('StatefulSet: %s', (_, owner, pods, expected) => {
  expect(text(statefulSetDemand(owner, pods))).toBe(expected)
})
