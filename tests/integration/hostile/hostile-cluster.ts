import { karpenterKinds, kinds } from '@kerf/apis'
import fc from 'fast-check'
import type { HostileObject } from './hostile-object.ts'
import { TENANT } from './hostile-pods.ts'
import {
  annotations,
  BUILT_IN,
  dnsLabel,
  expression,
  labelKey,
  labels,
  labelValue,
  objectName,
  quantity,
  selector,
} from './hostile-words.ts'

const metadata = fc.record({ labels, annotations })
const named = (longest?: number) => fc.tuple(objectName(longest), metadata).map(([name, rest]) => ({ name, ...rest }))
const namespaced = named().map((about) => ({ ...about, namespace: TENANT }))

export const hostileBudget: fc.Arbitrary<HostileObject> = fc
  .tuple(
    namespaced,
    fc.oneof(
      fc.record({ minAvailable: fc.constantFrom<string | number>(0, 2_147_483_647, '0%', '100%') }),
      fc.record({ maxUnavailable: fc.constantFrom<string | number>(0, 2_147_483_647, '0%', '100%') }),
    ),
    selector,
  )
  .map(([about, amount, selecting]) => ({
    kind: kinds.PodDisruptionBudget,
    object: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: about,
      spec: { ...amount, selector: selecting },
    },
  }))

const nodeSelectorTerms = fc.array(
  fc.record({ matchExpressions: fc.array(expression, { minLength: 1, maxLength: 2 }) }),
  {
    minLength: 1,
    maxLength: 2,
  },
)

export const hostileVolume: fc.Arbitrary<HostileObject> = fc
  .tuple(
    named(),
    nodeSelectorTerms,
    fc.constantFrom(
      { csi: { driver: 'constructor', volumeHandle: 'toString' } },
      { hostPath: { path: '/constructor' } },
      { local: { path: '/constructor' } },
    ),
    fc.constantFrom({}, { claimRef: { kind: 'PersistentVolumeClaim', namespace: TENANT, name: 'constructor' } }),
  )
  .map(([about, terms, source, claim]) => ({
    kind: kinds.PersistentVolume,
    object: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: about,
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        nodeAffinity: { required: { nodeSelectorTerms: terms } },
        ...source,
        ...claim,
      },
    },
  }))

export const hostileVolumeClaim: fc.Arbitrary<HostileObject> = fc
  .tuple(
    fc.oneof(
      namespaced,
      metadata.map((rest) => ({ name: 'constructor', namespace: TENANT, ...rest })),
    ),
    fc.constantFrom({}, { storageClassName: '' }, { storageClassName: 'constructor' }, { volumeName: 'missing' }),
  )
  .map(([about, rest]) => ({
    kind: kinds.PersistentVolumeClaim,
    object: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: about,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...rest },
    },
  }))

export const hostileStorageClass: fc.Arbitrary<HostileObject> = fc
  .tuple(
    fc.oneof(
      named(),
      metadata.map((rest) => ({ name: 'constructor', ...rest })),
    ),
    fc.array(
      fc.record({
        matchLabelExpressions: fc.array(
          fc.record({ key: labelKey, values: fc.uniqueArray(labelValue, { minLength: 1, maxLength: 2 }) }),
          { minLength: 1, maxLength: 1 },
        ),
      }),
      { maxLength: 1 },
    ),
    fc.constantFrom('Immediate', 'WaitForFirstConsumer'),
  )
  .map(([about, allowedTopologies, volumeBindingMode]) => ({
    kind: kinds.StorageClass,
    object: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: about,
      provisioner: 'constructor',
      volumeBindingMode,
      ...(allowedTopologies.length === 0 ? {} : { allowedTopologies }),
    },
  }))

export const hostileCsiNode: fc.Arbitrary<HostileObject> = fc
  .tuple(
    named(),
    fc.constantFrom({}, { allocatable: { count: 0 } }, { allocatable: { count: 2_147_483_647 } }),
    labelKey,
  )
  .map(([about, limit, key]) => ({
    kind: kinds.CSINode,
    object: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: about,
      spec: { drivers: [{ name: 'constructor', nodeID: 'constructor', topologyKeys: [key], ...limit }] },
    },
  }))

export const hostileRuntimeClass: fc.Arbitrary<HostileObject> = fc
  .tuple(
    named(),
    fc.dictionary(fc.constantFrom('cpu', 'memory'), quantity),
    fc.dictionary(labelKey, labelValue, { maxKeys: 1 }),
  )
  .map(([about, podFixed, nodeSelector]) => ({
    kind: kinds.RuntimeClass,
    object: {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: about,
      handler: 'constructor',
      overhead: { podFixed },
      scheduling: { nodeSelector },
    },
  }))

export const hostilePriorityClass: fc.Arbitrary<HostileObject> = fc
  .tuple(named(), fc.constantFrom(-2_147_483_648, 0, 1_000_000_000))
  .map(([about, value]) => ({
    kind: kinds.PriorityClass,
    object: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: about, value },
  }))

export const hostileNamespace: fc.Arbitrary<HostileObject> = fc.tuple(dnsLabel, metadata).map(([name, rest]) => ({
  kind: kinds.Namespace,
  object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...rest } },
}))

export const hostileConfigMap: fc.Arbitrary<HostileObject> = fc
  .tuple(namespaced, fc.constantFrom<string>('__proto__', '.-_', ...BUILT_IN))
  .map(([about, key]) => ({
    kind: kinds.ConfigMap,
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: about,
      // In an object literal, the key `__proto__` would set the prototype.
      data: JSON.parse(`{${JSON.stringify(key)}: "{}"}`),
    },
  }))

/** A CapacityBuffer that requests no capacity, because its reference does not exist or refers to a hostile workload. */
export const hostileBuffer: fc.Arbitrary<HostileObject> = fc
  .tuple(
    namespaced,
    fc.oneof(
      fc.record({
        podTemplateRef: fc.constantFrom({ name: 'constructor' }),
        replicas: fc.constantFrom(0, 1, 2_147_483_647),
      }),
      fc.record({
        scalableRef: fc.constantFrom(
          { kind: 'Deployment', apiGroup: 'apps', name: 'constructor' },
          { kind: 'constructor', apiGroup: 'apps', name: 'constructor' },
          { kind: 'Deployment', apiGroup: 'constructor', name: 'constructor' },
        ),
        percentage: fc.constantFrom(0, 100, 2_147_483_647),
      }),
    ),
  )
  .map(([about, spec]) => ({
    kind: karpenterKinds.CapacityBuffer,
    object: { apiVersion: 'autoscaling.x-k8s.io/v1beta1', kind: 'CapacityBuffer', metadata: about, spec },
  }))

export const hostileDeviceClass: fc.Arbitrary<HostileObject> = fc
  .tuple(
    named(),
    fc.constantFrom('true', 'device.driver == "constructor"', 'device.attributes["constructor"].constructor'),
  )
  .map(([about, expressionOfClass]) => ({
    kind: kinds.DeviceClass,
    object: {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: about,
      spec: { selectors: [{ cel: { expression: expressionOfClass } }] },
    },
  }))

export const hostileSlice: fc.Arbitrary<HostileObject> = fc
  .tuple(named(), fc.constantFrom(...BUILT_IN))
  .map(([about, attribute]) => ({
    kind: kinds.ResourceSlice,
    object: {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: about,
      spec: {
        driver: 'constructor',
        nodeName: 'constructor',
        pool: { name: 'constructor', generation: 1, resourceSliceCount: 1 },
        devices: [
          {
            name: 'constructor',
            attributes: { [attribute]: { string: 'x' } },
            capacity: { [attribute]: { value: '1' } },
          },
        ],
      },
    },
  }))
