import { describe, expect, test } from 'vitest'
import type { AmiFamily } from './ami-family.ts'
import type { EC2NodeClassSpec } from './ec2-node-class.ts'
import {
  KubeletFieldError,
  kubeletExpressions,
  managedKubeletFields,
  passthroughFields,
  setKubeletFields,
  settleKubelet,
} from './kubelet-fields.ts'
import { kubeletProblems, unsupportedKubeletFields, unusedKubeletFields } from './validate-kubelet.ts'

type Kubelet = NonNullable<EC2NodeClassSpec['kubelet']>

describe('managed fields', () => {
  test('are read, other fields are not', () => {
    expect(setKubeletFields(undefined)).toEqual({})
    expect(setKubeletFields({ maxPods: 5, shutdownGracePeriod: '1m', podsPerCore: null })).toEqual({ maxPods: 5 })
    expect(setKubeletFields({ maxPods: 'vcpus * 2' })).toEqual({ maxPods: 'vcpus * 2' })
    expect(passthroughFields({ zeta: 1, maxPods: 5, alpha: 1 })).toEqual(['alpha', 'zeta'])
  })

  test('each rejects an invalid value, and the error names the field', () => {
    for (const field of managedKubeletFields) {
      for (const value of [[1], { a: 1 }, Number.NaN, 1e10])
        expect(() => setKubeletFields({ [field]: value }), `${field} ${JSON.stringify(value)}`).toThrow(
          KubeletFieldError,
        )
      expect(() => setKubeletFields({ [field]: [1] })).toThrow(`spec.kubelet.${field}`)
    }
  })

  test('an instance gets its type’s number of pods and the cluster’s DNS, unless specified otherwise', () => {
    const instance = { podCapacity: 29, clusterDNS: '10.0.0.10' }
    expect(settleKubelet({}, instance)).toEqual({ maxPods: 29, clusterDNS: ['10.0.0.10'] })
    expect(settleKubelet({ maxPods: 'vcpus' }, { podCapacity: 29, clusterDNS: undefined })).toEqual({ maxPods: 29 })
    expect(settleKubelet({ maxPods: 0, clusterDNS: ['a', 'b'] }, instance)).toEqual({
      maxPods: 0,
      clusterDNS: ['a', 'b'],
    })
  })

  test('expressions differ from quantities, in three fields', () => {
    expect(kubeletExpressions({})).toEqual([])
    expect(
      kubeletExpressions({ maxPods: 5, kubeReserved: { cpu: '1' }, evictionHard: { 'memory.available': 'x' } }),
    ).toEqual([])
    expect(kubeletExpressions({ maxPods: 'vcpus' })).toEqual(['spec.kubelet.maxPods'])
    expect(kubeletExpressions({ kubeReserved: { cpu: '1e0.5' } })).toEqual(['spec.kubelet.kubeReserved["cpu"]'])
    expect(kubeletExpressions({ systemReserved: { memory: '1Gi', cpu: 'vcpus' } })).toEqual([
      'spec.kubelet.systemReserved["cpu"]',
    ])
  })
})

describe('valid settings', () => {
  test.each<readonly [string, Kubelet | undefined]>([
    ['none', undefined],
    ['empty', {}],
    ['a field that is passed on', { topologyManagerPolicy: 'restricted', logging: { format: 'json' } }],
    [
      'thresholds',
      { evictionHard: { 'memory.available': '500Mi', 'nodefs.available': '0%', 'pid.available': '99.5%' } },
    ],
    [
      'soft pairs',
      { evictionSoft: { 'imagefs.available': '5%' }, evictionSoftGracePeriod: { 'imagefs.available': '1m30s' } },
    ],
    ['reclaim', { evictionMinimumReclaim: { 'nodefs.available': '1Gi' } }],
    ['ordered thresholds', { imageGCHighThresholdPercent: 80, imageGCLowThresholdPercent: 79 }],
    ['zeros', { maxPods: 0, podsPerCore: 0, evictionMaxPodGracePeriod: 0, kubeReserved: { cpu: '0' } }],
    ['expressions', { maxPods: 'vcpus * 10', kubeReserved: { cpu: 'vcpus * 5', memory: '1Gi' } }],
  ])('%s', (_, kubelet) => {
    expect(kubeletProblems(kubelet)).toEqual([])
  })
})

test.each<readonly [Kubelet, string]>([
  [{ maxPods: -1 }, 'maxPods'],
  [{ podsPerCore: -1 }, 'podsPerCore'],
  [{ evictionMaxPodGracePeriod: -1 }, 'evictionMaxPodGracePeriod'],
  [{ kubeReserved: { cpu: '-1' } }, 'kubeReserved["cpu"]'],
  [{ systemReserved: { gpu: '1' } }, 'systemReserved["gpu"]'],
  [{ imageGCHighThresholdPercent: 101 }, 'imageGCHighThresholdPercent'],
  [{ imageGCLowThresholdPercent: -1 }, 'imageGCLowThresholdPercent'],
  [{ imageGCHighThresholdPercent: 50, imageGCLowThresholdPercent: 50 }, 'imageGCHighThresholdPercent'],
  [{ evictionHard: { 'memory.free': '1Gi' } }, 'evictionHard["memory.free"]'],
  [{ evictionHard: { 'memory.available': '101%' } }, 'evictionHard["memory.available"]'],
  [{ evictionHard: { 'memory.available': '%' } }, 'evictionHard["memory.available"]'],
  [{ evictionHard: { 'memory.available': '-1Gi' } }, 'evictionHard["memory.available"]'],
  [{ evictionMinimumReclaim: { 'memory.available': 'x' } }, 'evictionMinimumReclaim["memory.available"]'],
  [{ evictionSoft: { 'memory.available': '1%' } }, 'evictionSoft["memory.available"]'],
  [{ evictionSoftGracePeriod: { 'memory.available': '1m' } }, 'evictionSoftGracePeriod["memory.available"]'],
  [{ registerWithTaints: [] }, 'registerWithTaints'],
  [{ evictionHard: 'x' }, 'spec.kubelet.evictionHard'],
  [{ evictionMinimumReclaim: { 'memory.available': 1 } }, 'spec.kubelet.evictionMinimumReclaim["memory.available"]'],
])('%j is rejected with %s', (kubelet, field) => {
  const problems = kubeletProblems(kubelet)
  expect(problems).toHaveLength(1)
  expect(problems[0]?.startsWith(field)).toBe(true)
})

test.each(['-1m', '1', 'soon'])('a grace period of %s is rejected', (period) => {
  const settings = {
    evictionSoft: { 'memory.available': '1%' },
    evictionSoftGracePeriod: { 'memory.available': period },
  }
  expect(kubeletProblems(settings)).toHaveLength(1)
})

test('all problems are reported together', () => {
  expect(
    kubeletProblems({ maxPods: -1, podsPerCore: -2, registerWithTaints: [], evictionHard: { a: '1' } }),
  ).toHaveLength(4)
})

test.each<readonly [AmiFamily, Kubelet, readonly string[]]>([
  ['AL2023', { logging: {}, clusterDNS: ['a', 'b'], podsPerCore: 1 }, []],
  ['Custom', { logging: {}, clusterDNS: ['a', 'b'] }, []],
  ['AL2', { logging: {}, podsPerCore: 1 }, ['logging']],
  ['AL2', { clusterDNS: ['a'] }, []],
  ['AL2', { clusterDNS: ['a', 'b'] }, []],
  ['Bottlerocket', { podsPerCore: 1, clusterDNS: ['a', 'b'], logging: {} }, ['logging']],
  ['Windows2022', { logging: {}, clusterDNS: ['a', 'b'] }, ['logging']],
])('%s with %j cannot pass on %j', (family, kubelet, fields) => {
  expect(unsupportedKubeletFields(family, kubelet).map((problem) => problem.split(':')[0])).toEqual(fields)
})

test.each<readonly [AmiFamily, Kubelet, readonly string[]]>([
  ['AL2023', { clusterDNS: ['a', 'b'], podsPerCore: 1 }, []],
  ['Custom', { clusterDNS: ['a', 'b'] }, []],
  ['AL2', { clusterDNS: ['a'], podsPerCore: 1 }, []],
  ['AL2', { clusterDNS: ['a', 'b'] }, ['clusterDNS']],
  ['Bottlerocket', { clusterDNS: ['a', 'b'], podsPerCore: 1 }, ['podsPerCore', 'clusterDNS']],
  ['Windows2022', { clusterDNS: ['a', 'b', 'c'] }, ['clusterDNS']],
])('%s with %j ignores %j', (family, kubelet, fields) => {
  const unused = unusedKubeletFields(family, kubelet)
  expect(unused).toHaveLength(fields.length)
  fields.forEach((field, index) => {
    expect(unused[index]).toContain(`spec.kubelet.${field}`)
  })
})
