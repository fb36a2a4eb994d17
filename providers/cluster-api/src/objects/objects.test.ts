import { describe, expect, test } from 'vitest'
import { sample } from '../testing/samples.ts'
import { type ApiGroup, type ClusterApiVersion, parseClusterApiVersion } from './api-version.ts'
import { readCluster } from './cluster.ts'
import { clusterApiKinds } from './kinds.ts'
import { readMachine } from './machine.ts'
import { readMachineDeployment } from './machine-deployment.ts'
import { readMachineSet } from './machine-set.ts'
import type { ClusterOnWire, MachineDeploymentOnWire, MachineOnWire, MachineSetOnWire } from './wire.ts'

const serving = (...versions: readonly string[]): ApiGroup => ({ versions: versions.map((version) => ({ version })) })
const CONVERSION_DATA = 'cluster.x-k8s.io/conversion-data'

/** Removes the conversion data. A v1beta1 object contains the whole v1beta2 object in an annotation. Everything else must be equal. */
const withoutConversionData = <T extends { readonly annotations: Readonly<Record<string, string>> }>(read: T): T => {
  const { [CONVERSION_DATA]: _, ...annotations } = read.annotations
  return { ...read, annotations }
}

const machine = (version: ClusterApiVersion, name = 'machine') => readMachine(sample<MachineOnWire>(version, name))
const deployment = (version: ClusterApiVersion, name = 'machine-deployment') =>
  readMachineDeployment(sample<MachineDeploymentOnWire>(version, name))

describe('the version (providers/cluster-api/docs/spec/cluster-api.md#api-versions)', () => {
  test.each([
    [['v1beta2', 'v1beta1'], 'v1beta2'],
    [['v1beta1', 'v1beta2'], 'v1beta2'],
    [['v1beta1'], 'v1beta1'],
    [['v1alpha4'], undefined],
    [[], undefined],
  ] as const)('of a cluster that serves %j is %s', (versions, expected) => {
    expect(parseClusterApiVersion(serving(...versions))).toBe(expected)
  })

  test('is in the API path of every kind', () => {
    expect(clusterApiKinds('v1beta1').MachineDeployment).toEqual({
      group: 'cluster.x-k8s.io',
      version: 'v1beta1',
      kind: 'MachineDeployment',
      plural: 'machinedeployments',
      namespaced: true,
    })
    expect(Object.values(clusterApiKinds('v1beta2')).map(({ kind, plural }) => [kind, plural])).toEqual([
      ['Machine', 'machines'],
      ['MachineSet', 'machinesets'],
      ['MachineDeployment', 'machinedeployments'],
      ['Cluster', 'clusters'],
    ])
  })
})

describe('real objects are parsed equally in both versions', () => {
  test('a Machine', () => {
    expect(withoutConversionData(machine('v1beta1'))).toEqual(machine('v1beta2'))
  })

  test('a MachineDeployment', () => {
    expect(withoutConversionData(deployment('v1beta1'))).toEqual(deployment('v1beta2'))
  })

  test('a MachineSet', () => {
    const read = (version: ClusterApiVersion) => readMachineSet(sample<MachineSetOnWire>(version, 'machine-set'))
    expect(withoutConversionData(read('v1beta1'))).toEqual(read('v1beta2'))
    expect(read('v1beta2')).toMatchObject({ deploymentName: 'small', replicas: 3, revision: 1, clusterName: 'bed' })
  })

  test('a Cluster', () => {
    const read = (version: ClusterApiVersion) => readCluster(sample<ClusterOnWire>(version, 'cluster'))
    expect(withoutConversionData(read('v1beta1'))).toEqual(read('v1beta2'))
    expect(read('v1beta2').infrastructure).toEqual({
      group: 'infrastructure.cluster.x-k8s.io',
      kind: 'DevCluster',
      namespace: 'default',
      name: 'bed',
    })
  })
})

describe('a Machine', () => {
  test('a running one has its Node, its provider ID and its deployment', () => {
    const read = machine('v1beta2')
    expect(read).toMatchObject({ clusterName: 'bed', deploymentName: 'small', phase: 'Running', isMember: false })
    expect(read.providerId).toBe(`in-memory://${read.name}`)
    expect(read.nodeName).toBe(read.name)
    expect(read.upToDate?.status).toBe('True')
    expect(read.createdAt).toBe(
      Date.parse(sample<MachineOnWire>('v1beta2', 'machine').metadata.creationTimestamp ?? ''),
    )
  })

  test('a new one has neither provider ID nor Node nor phase', () => {
    expect(machine('v1beta2', 'machine-new')).toMatchObject({
      providerId: undefined,
      nodeName: undefined,
      phase: undefined,
      deploymentName: 'small',
      isDeleting: false,
    })
  })

  test('one of an older template is not up to date', () => {
    const read = machine('v1beta2', 'machine-not-up-to-date')
    expect(read.upToDate).toMatchObject({ status: 'False', message: '* DevMachine is not up-to-date' })
    expect(read.isMember).toBe(true)
  })

  test('one of Cluster API 1.8, with conditions of the older format only, has no conditions', () => {
    const { status, ...object } = sample<MachineOnWire>('v1beta1', 'machine')
    const { v1beta2: _, ...older } = status ?? {}
    const read = readMachine({ ...object, status: older })
    expect(older.conditions).not.toHaveLength(0)
    expect(read.conditions).toEqual([])
    expect(read.upToDate).toBeUndefined()
  })

  test('one whose set name is too long for a label has the name of the controlling set, not the label’s hash', () => {
    const object = sample<MachineOnWire>('v1beta2', 'machine')
    const setName = `${'long-'.repeat(13)}xgbxt`
    const { ownerReferences: [owner] = [], labels } = object.metadata
    const long = (controller: boolean) =>
      readMachine({
        ...object,
        metadata: {
          ...object.metadata,
          // The format that Cluster API's format.MustFormatValue uses for names of more than 63 characters.
          labels: { ...labels, 'cluster.x-k8s.io/set-name': 'hash_2f4ab8f2_z' },
          ownerReferences: owner === undefined ? [] : [{ ...owner, name: setName, controller }],
        },
      }).setName
    expect(long(true)).toBe(setName)
    expect(long(false)).toBe('hash_2f4ab8f2_z')
  })

  test('one without spec and status, marked and deleting, is parsed too', () => {
    const read = readMachine({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        name: 'bare',
        namespace: 'machines',
        labels: { 'node.cluster.x-k8s.io/karpenter-member': '', 'cluster.x-k8s.io/cluster-name': 'blue' },
        annotations: { 'cluster.x-k8s.io/delete-machine': '' },
        deletionTimestamp: '2026-11-23T22:26:33Z',
      },
    })
    expect(read).toMatchObject({
      clusterName: 'blue',
      deploymentName: undefined,
      isMember: true,
      isMarkedForDeletion: true,
      isDeleting: true,
      infrastructure: undefined,
      createdAt: undefined,
    })
  })
})

describe('a MachineDeployment', () => {
  test('has its template, references and replicas', () => {
    expect(deployment('v1beta1')).toMatchObject({
      namespace: 'default',
      name: 'small',
      clusterName: 'bed',
      replicas: 3,
      kubernetesVersion: 'v1.36.0',
      strategy: 'RollingUpdate',
      revision: 1,
      isPaused: false,
      bootstrap: { group: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfigTemplate', name: 'small' },
      infrastructure: { group: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachineTemplate', namespace: 'default' },
    })
    expect(deployment('v1beta1').templateLabels['node.cluster.x-k8s.io/tier']).toBe('web')
  })

  test('has the strategy OnDelete, in the v1beta2 field and the v1beta1 field', () => {
    expect(deployment('v1beta2', 'machine-deployment-on-delete')).toMatchObject({ strategy: 'OnDelete', revision: 2 })
    const { spec, ...object } = sample<MachineDeploymentOnWire>('v1beta1', 'machine-deployment')
    expect(readMachineDeployment({ ...object, spec: { ...spec, strategy: { type: 'OnDelete' } } }).strategy).toBe(
      'OnDelete',
    )
  })

  test('one with the paused annotation, of any value, is paused', () => {
    const object = sample<MachineDeploymentOnWire>('v1beta2', 'machine-deployment')
    const metadata = { ...object.metadata, annotations: { 'cluster.x-k8s.io/paused': 'false' } }
    expect(readMachineDeployment({ ...object, metadata }).isPaused).toBe(true)
    expect(readMachineDeployment({ ...object, spec: { ...object.spec, paused: true } }).isPaused).toBe(true)
  })

  test('one whose revision is not a number has none', () => {
    const object = sample<MachineDeploymentOnWire>('v1beta2', 'machine-deployment')
    const annotations = { 'machinedeployment.clusters.x-k8s.io/revision': 'two' }
    expect(readMachineDeployment({ ...object, metadata: { ...object.metadata, annotations } }).revision).toBeUndefined()
  })
})

test('a MachineDeployment without spec has Cluster API’s defaults', () => {
  const { apiVersion, kind, metadata } = sample<MachineDeploymentOnWire>('v1beta2', 'machine-deployment')
  expect(readMachineDeployment({ apiVersion, kind, metadata })).toMatchObject({
    replicas: 1,
    strategy: 'RollingUpdate',
    templateLabels: {},
    bootstrap: undefined,
    isPaused: false,
  })
})

test('a MachineSet belongs to the MachineDeployment that controls it, not to an owner of another kind', () => {
  const object = sample<MachineSetOnWire>('v1beta2', 'machine-set')
  const owner = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachinePool',
    name: 'pool',
    uid: '1',
    controller: true,
  }
  const { spec: _, ...other } = { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } }
  expect(readMachineSet(other)).toMatchObject({ deploymentName: undefined, replicas: 1 })
})

test('a Cluster is paused by its spec', () => {
  expect(readCluster(sample<ClusterOnWire>('v1beta2', 'cluster')).isPaused).toBe(false)
  expect(readCluster(sample<ClusterOnWire>('v1beta2', 'cluster-paused')).isPaused).toBe(true)
})
