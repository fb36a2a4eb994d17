import type { KubeObject, Pod } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { PodAdmission } from './pod-admission.ts'

const object = (apiVersion: string, kind: string, name: string, fields: object): KubeObject =>
  ({ apiVersion, kind, metadata: { name }, ...fields }) as KubeObject

const written = (spec: object, metadata: object = {}): Pod =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', ...metadata }, spec }) as Pod

const admitted = (spec: object, ...objects: readonly KubeObject[]): Pod['spec'] =>
  new PodAdmission(objects).admit(written(spec)).spec

const container = (fields: object = {}): object => ({ name: 'c', image: 'busybox:1', ...fields })

const unreachable = ['not-ready', 'unreachable'].map((condition) => ({
  key: `node.kubernetes.io/${condition}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}))

test('a pod gets the defaults of the API server', () => {
  expect(
    new PodAdmission([]).admit(written({ containers: [container({ resources: { limits: { cpu: '0.5' } } })] })),
  ).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', namespace: 'default' },
    spec: {
      containers: [
        {
          name: 'c',
          image: 'busybox:1',
          imagePullPolicy: 'IfNotPresent',
          resources: { limits: { cpu: '500m' }, requests: { cpu: '500m' } },
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ],
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      terminationGracePeriodSeconds: 30,
      schedulerName: 'default-scheduler',
      securityContext: {},
      enableServiceLinks: true,
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
      serviceAccountName: 'default',
      serviceAccount: 'default',
      tolerations: unreachable,
    },
  })
})

test('a pod that a server has stored is not admitted again', () => {
  const stored = written({ containers: [] }, { uid: 'u' })
  expect(new PodAdmission([]).admit(stored)).toBe(stored)
})

test('ports of a pod on the host network are host ports, including those of init containers', () => {
  const ports = [{ containerPort: 80 }, { containerPort: 81, hostPort: 82 }]
  const { containers, initContainers } = admitted({
    hostNetwork: true,
    containers: [container({ ports })],
    initContainers: [container({ ports, restartPolicy: 'Always' })],
  })
  for (const each of [...containers, ...(initContainers ?? [])])
    expect(each.ports?.map(({ hostPort }) => hostPort)).toEqual([80, 82])
  expect(admitted({ containers: [container({ ports })] }).containers[0]?.ports?.[0]).toEqual({
    containerPort: 80,
    protocol: 'TCP',
  })
})

describe('a RuntimeClass', () => {
  const kata = object('node.k8s.io/v1', 'RuntimeClass', 'kata', {
    handler: 'kata',
    overhead: { podFixed: { cpu: '2' } },
    scheduling: { nodeSelector: { kata: 'yes' }, tolerations: [{ key: 'kata', operator: 'Exists' }] },
  })
  const pod = (more: object = {}) => ({ runtimeClassName: 'kata', containers: [container()], ...more })

  test('adds its overhead, selector and missing tolerations', () => {
    expect(admitted(pod({ nodeSelector: { a: 'b' } }), kata)).toMatchObject({
      overhead: { cpu: '2' },
      nodeSelector: { a: 'b', kata: 'yes' },
      tolerations: [{ key: 'kata', operator: 'Exists' }, ...unreachable],
    })
    const all = { operator: 'Exists' }
    expect(admitted(pod({ tolerations: [all] }), kata).tolerations).toEqual([all])
  })

  test('refuses a pod that contradicts it', () => {
    expect(() => admitted(pod({ nodeSelector: { kata: 'no' } }), kata)).toThrow(
      'conflict: runtimeClass.scheduling.nodeSelector[kata] = yes; pod.spec.nodeSelector[kata] = no',
    )
    expect(() => admitted(pod({ overhead: { cpu: '1' } }), kata)).toThrow(
      "doesn't match RuntimeClass's defined Overhead",
    )
    expect(admitted(pod({ overhead: { cpu: '2000m' } }), kata).overhead).toEqual({ cpu: '2' })
  })

  test('that does not exist leaves the pod unchanged', () => expect(admitted(pod()).overhead).toBeUndefined())
})

test('the priority comes from a class in the files, a system class, or the default class', () => {
  const high = object('scheduling.k8s.io/v1', 'PriorityClass', 'high', { value: 100 })
  const usual = object('scheduling.k8s.io/v1', 'PriorityClass', 'usual', { value: 7, globalDefault: true })
  const of = (priorityClassName?: string): number | undefined =>
    admitted({ containers: [], ...(priorityClassName === undefined ? {} : { priorityClassName }) }, high, usual)
      .priority
  expect([of('high'), of('system-node-critical'), of(), of('of another file')]).toEqual([
    100,
    2_000_001_000,
    7,
    undefined,
  ])
})

test('matchLabelKeys are added to the selectors with the values of the pod', () => {
  const spec = {
    containers: [],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: {},
        matchLabelKeys: ['hash', 'none'],
      },
    ],
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: 'zone', labelSelector: {}, mismatchLabelKeys: ['hash'] } },
        ],
      },
    },
  }
  const pod = new PodAdmission([]).admit(written(spec, { labels: { hash: '1' } }))
  expect(pod.spec.topologySpreadConstraints?.[0]?.labelSelector).toEqual({
    matchExpressions: [{ key: 'hash', operator: 'In', values: ['1'] }],
  })
  const [term] = pod.spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
  expect(term?.podAffinityTerm.labelSelector).toEqual({
    matchExpressions: [{ key: 'hash', operator: 'NotIn', values: ['1'] }],
  })
})

describe('a LimitRange', () => {
  const requests = (item: object, resources: object = {}, namespace = 'default'): object | undefined => {
    const range = {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'r', namespace },
      spec: { limits: [{ type: 'Container', ...item }] },
    }
    return admitted({ containers: [container({ resources })] }, range as KubeObject).containers[0]?.resources?.requests
  }

  test('sets the default request, else the default limit, else the maximum, else the minimum', () => {
    expect(requests({ defaultRequest: { cpu: '1' }, default: { cpu: '2' } })).toEqual({ cpu: '1' })
    expect(requests({ default: { cpu: '2' }, max: { cpu: '4' }, min: { cpu: '1' } })).toEqual({ cpu: '2' })
    expect(requests({ max: { cpu: '4' }, min: { cpu: '1', memory: '1Gi' } })).toEqual({ cpu: '4', memory: '1Gi' })
    expect(requests({ min: { cpu: '1' } })).toEqual({ cpu: '1' })
  })

  test('keeps the requests and limits of a container, and ignores other namespaces', () => {
    const item = { defaultRequest: { cpu: '1', memory: '1Gi' } }
    expect(requests(item, { requests: { cpu: '3' } })).toEqual({ cpu: '3', memory: '1Gi' })
    expect(requests(item, { limits: { cpu: '3' } })).toEqual({ cpu: '3', memory: '1Gi' })
    expect(requests(item, {}, 'other')).toBeUndefined()
  })
})

test('volumes get the defaults of the schema', () => {
  const volumes = [
    { name: 'a', iscsi: { targetPortal: 't', iqn: 'i', lun: 0 } },
    { name: 'b', azureDisk: { diskName: 'd', diskURI: 'u' } },
    { name: 'c', ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } },
    { name: 'd' },
  ]
  expect(admitted({ containers: [], volumes }).volumes).toMatchObject([
    { iscsi: { iscsiInterface: 'default' } },
    { azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared' } },
    { ephemeral: { volumeClaimTemplate: { metadata: {}, spec: { volumeMode: 'Filesystem' } } } },
    { name: 'd', emptyDir: {} },
  ])
})

test.each([
  ['nginx', 'Always'],
  ['registry:5000/a/b', 'Always'],
  ['nginx:latest', 'Always'],
  ['nginx:1.27', 'IfNotPresent'],
  ['nginx@sha256:0123', 'IfNotPresent'],
  ['nginx:latest@sha256:0123', 'Always'],
  ['<YOUR-IMAGE>', 'IfNotPresent'],
])('the image %s gets the pull policy %s', (image, policy) => {
  const { containers } = admitted({ containers: [{ name: 'c', image }] })
  expect(containers[0]).toHaveProperty('imagePullPolicy', policy)
})

test('pods of one workload share their admitted spec', () => {
  const admission = new PodAdmission([])
  const spec = { containers: [container()] }
  expect(admission.admit(written(spec, { name: 'b' })).spec).toBe(admission.admit(written(spec)).spec)
})
