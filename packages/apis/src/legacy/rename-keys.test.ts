import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { KubeObject } from '../kubernetes/object.ts'
import { oldNames } from './old-names.ts'
import { withNewNames as renamed } from './rename-keys.ts'

const names = oldNames({ goneLabels: ['example.com/instance-pods'], ownAnnotations: [] })
const withNewNames = (object: KubeObject) => renamed(object, names)

const POD = `
metadata:
  labels: {app: web, karpenter.sh/provisioner-name: kept}
  annotations: {karpenter.sh/do-not-evict: "true", note: mine}
spec:
  nodeSelector: {karpenter.sh/provisioner-name: batch, kubernetes.io/arch: amd64}
  topologySpreadConstraints:
  - {maxSkew: 1, topologyKey: karpenter.sh/provisioner-name, whenUnsatisfiable: DoNotSchedule}
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - {key: karpenter.sh/provisioner-name, operator: In, values: [batch]}
          - {key: kubernetes.io/os, operator: In, values: [linux]}
          matchFields:
          - {key: metadata.name, operator: In, values: [a]}
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 1
        preference:
          matchExpressions:
          - {key: karpenter.sh/provisioner-name, operator: DoesNotExist}
          - {key: karpenter.sh/nodepool, operator: DoesNotExist}
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: karpenter.sh/provisioner-name
        labelSelector:
          matchExpressions:
          - {key: karpenter.sh/provisioner-name, operator: Exists}
  containers: [{name: main, image: app}]
`
const NEW_POD = {
  metadata: {
    labels: { app: 'web', 'karpenter.sh/provisioner-name': 'kept' },
    annotations: { 'karpenter.sh/do-not-disrupt': 'true', note: 'mine' },
  },
  spec: {
    nodeSelector: { 'karpenter.sh/nodepool': 'batch', 'kubernetes.io/arch': 'amd64' },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'karpenter.sh/nodepool', whenUnsatisfiable: 'DoNotSchedule' },
    ],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: 'karpenter.sh/nodepool', operator: 'In', values: ['batch'] },
                { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
              ],
              matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }],
            },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, preference: { matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }] } },
        ],
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            topologyKey: 'karpenter.sh/nodepool',
            // Labels of pods belong to the owners of the pods, and are not changed.
            labelSelector: { matchExpressions: [{ key: 'karpenter.sh/provisioner-name', operator: 'Exists' }] },
          },
        ],
      },
    },
    containers: [{ name: 'main', image: 'app' }],
  },
}

/** Returns an object with a pod template at the path of its kind. */
const at = (path: readonly string[], template: unknown): Record<string, unknown> =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), template) as Record<string, unknown>

test.each([
  ['apps/v1', 'Deployment', ['spec', 'template']],
  ['apps/v1', 'ReplicaSet', ['spec', 'template']],
  ['apps/v1', 'StatefulSet', ['spec', 'template']],
  ['apps/v1', 'DaemonSet', ['spec', 'template']],
  ['batch/v1', 'Job', ['spec', 'template']],
  ['batch/v1', 'CronJob', ['spec', 'jobTemplate', 'spec', 'template']],
  ['v1', 'ReplicationController', ['spec', 'template']],
  ['v1', 'PodTemplate', ['template']],
  ['argoproj.io/v1alpha1', 'Rollout', ['spec', 'template']],
] as const)(
  'in %s %s, selectors, affinity, spread and protections of the pods are renamed',
  (apiVersion, kind, path) => {
    const metadata = { name: 'web', namespace: 'shop' }
    const object = { apiVersion, kind, metadata, ...at(path, parse(POD)) } as KubeObject
    const { object: renamed, fields } = withNewNames(object)
    expect(renamed).toEqual({ apiVersion, kind, metadata, ...at(path, NEW_POD) })
    expect(fields.every(({ object: of }) => of === `${kind}/web`)).toBe(true)
    expect(fields.map(({ field, fate }) => `${fate} ${field.slice(path.join('.').length + 1)}`)).toEqual([
      'renamed metadata.annotations.karpenter.sh/do-not-evict',
      'renamed spec.nodeSelector.karpenter.sh/provisioner-name',
      'renamed spec.topologySpreadConstraints[0].topologyKey',
      'renamed spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key',
      'gone spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key',
      'renamed spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey',
    ])
  },
)

test('a pod is renamed with its fields in the same order', () => {
  const pod = parse(POD) as { readonly metadata: object }
  const object = { apiVersion: 'v1', kind: 'Pod', ...pod, metadata: { name: 'a', ...pod.metadata } } as KubeObject
  const { object: renamed } = withNewNames(object)
  expect(renamed).toEqual({ apiVersion: 'v1', kind: 'Pod', ...NEW_POD, metadata: { name: 'a', ...NEW_POD.metadata } })
  expect(Object.keys(renamed.metadata.annotations ?? {})).toEqual(['karpenter.sh/do-not-disrupt', 'note'])
})

const annotated = (annotations: Readonly<Record<string, string>>): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', annotations } }) as KubeObject

test('two old protections become one annotation, and an existing annotation with the new name takes precedence', () => {
  const both = { 'karpenter.sh/do-not-evict': 'true', 'karpenter.sh/do-not-consolidate': 'true' }
  expect(withNewNames(annotated(both)).object.metadata.annotations).toEqual({ 'karpenter.sh/do-not-disrupt': 'true' })
  const old = { 'karpenter.sh/do-not-evict': 'true' }
  const now = { 'karpenter.sh/do-not-disrupt': '10m' }
  for (const besides of [
    { ...old, ...now },
    { ...now, ...old },
  ]) {
    const { object, fields } = withNewNames(annotated(besides))
    expect(object.metadata.annotations).toEqual(now)
    expect(fields).toEqual([
      {
        object: 'Pod/a',
        field: 'metadata.annotations.karpenter.sh/do-not-evict',
        fate: 'gone',
        note: 'karpenter.sh/do-not-disrupt is there besides',
      },
    ])
  }
})

test('a selector for two different pools is not changed, and duplicate requirements are merged', () => {
  const pod = (pool: string): KubeObject =>
    ({
      ...annotated({ 'karpenter.sh/do-not-evict': 'true' }),
      spec: { nodeSelector: { 'karpenter.sh/provisioner-name': 'a', 'karpenter.sh/nodepool': pool } },
    }) as KubeObject
  const selector = (object: KubeObject): unknown => (object as { spec?: { nodeSelector?: unknown } }).spec?.nodeSelector
  expect(selector(withNewNames(pod('a')).object)).toEqual({ 'karpenter.sh/nodepool': 'a' })
  expect(selector(withNewNames(pod('b')).object)).toEqual({
    'karpenter.sh/provisioner-name': 'a',
    'karpenter.sh/nodepool': 'b',
  })
})

test('names are also found in volumes, storage classes and devices, at other paths', () => {
  const term = (key: string) => ({ matchExpressions: [{ key, operator: 'In', values: ['a'] }] })
  const topology = (key: string) => ({ matchLabelExpressions: [{ key, values: ['a'] }] })
  const bodies = (key: string): readonly object[] => [
    { kind: 'PersistentVolume', spec: { nodeAffinity: { required: { nodeSelectorTerms: [term(key)] } } } },
    { kind: 'StorageClass', allowedTopologies: [topology(key)] },
    { kind: 'ResourceSlice', spec: { nodeSelector: { nodeSelectorTerms: [term(key)] } } },
  ]
  const named = (body: object): KubeObject => ({ apiVersion: 'v1', metadata: { name: 'a' }, ...body }) as KubeObject
  expect(bodies('karpenter.sh/provisioner-name').map((body) => withNewNames(named(body)).object)).toEqual(
    bodies('karpenter.sh/nodepool').map(named),
  )
})

test('an object from a cluster becomes a manifest, and an object without old names is returned unchanged', () => {
  const untouched = annotated({ note: 'mine' })
  expect(withNewNames(untouched)).toEqual({ object: untouched, fields: [] })
  expect(withNewNames(untouched).object).toBe(untouched)
  const live = {
    ...annotated({ 'karpenter.sh/do-not-evict': 'true', 'kubectl.kubernetes.io/last-applied-configuration': '{}' }),
    status: { phase: 'Running' },
  }
  const metadata = { ...live.metadata, uid: 'u', resourceVersion: '7', creationTimestamp: '2024-01-01T00:00:00Z' }
  const { object, fields } = withNewNames({ ...live, metadata } as KubeObject)
  expect(object).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
  })
  expect(fields.at(-1)).toMatchObject({ field: 'status', fate: 'gone' })
})
