import { formatResources } from '@kerf/apis'
import { singleValue, usableTypes } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import type { ClusterApiVersion } from '../objects/api-version.ts'
import { type MachineDeployment, readMachineDeployment } from '../objects/machine-deployment.ts'
import type { MachineDeploymentOnWire } from '../objects/wire.ts'
import { annotatedDeployment, capacityAnnotations } from '../testing/deployment.ts'
import { sample } from '../testing/samples.ts'
import { deploymentOffer } from './deployment-offer.ts'
import { mergedTypes } from './merged-types.ts'

const SIZE = { cpu: '2', memory: '4Gi' }
const deploymentOfferedType = (deployment: MachineDeployment) => {
  const offer = deploymentOffer(deployment, true)
  const { types, problems } = mergedTypes([offer])
  return { price: offer.price, taints: offer.taints, problems, type: types[0] }
}
const offered = (annotations: Readonly<Record<string, string>>, changes = {}) =>
  deploymentOfferedType(annotatedDeployment(capacityAnnotations({ ...SIZE, ...annotations }), changes))
const offeredBy = (version: ClusterApiVersion, name: string) =>
  deploymentOfferedType(readMachineDeployment(sample<MachineDeploymentOnWire>(version, name)))

describe('a MachineDeployment as an instance type (providers/cluster-api/docs/spec/cluster-api.md#instance-types)', () => {
  test.each(['v1beta1', 'v1beta2'] as const)('a real one, read in %s', (version) => {
    const { type, price, taints, problems } = offeredBy(version, 'machine-deployment')
    expect({ price, taints, problems }).toEqual({ price: undefined, taints: [], problems: [] })
    expect(type?.name).toBe('small')
    expect(formatResources(type?.capacity ?? {})).toEqual({ cpu: '2', memory: '4Gi', pods: '110' })
    expect(type?.requirements.filter(({ operator }) => operator === 'In')).toEqual([
      { key: 'node.cluster.x-k8s.io/tier', operator: 'In', values: ['web'] },
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['small'] },
      { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
    ])
    expect(
      type?.requirements
        .filter(({ operator }) => operator === 'DoesNotExist')
        .map(({ key }) => key)
        .sort(),
    ).toEqual([
      'capacity.karpenter.cluster.x-k8s.io/cpu',
      'capacity.karpenter.cluster.x-k8s.io/memory',
      'karpenter.cluster.x-k8s.io/instance-cpu',
      'karpenter.cluster.x-k8s.io/instance-family',
      'karpenter.cluster.x-k8s.io/instance-memory',
      'karpenter.cluster.x-k8s.io/instance-size',
      'node.kubernetes.io/windows-build',
      'topology.kubernetes.io/region',
      'topology.kubernetes.io/zone',
    ])
  })

  test('a real one with cpu "many", no memory and more replicas than its maximum has no type, and all problems are reported', () => {
    const { type, problems } = offeredBy('v1beta2', 'machine-deployment-on-delete')
    expect(type).toBeUndefined()
    expect(problems.map(({ reason, found }) => [reason, found])).toEqual([
      ['CapacityUnreadable', 'many'],
      ['CapacityMissing', undefined],
      ['MaxSizeExceeded', '2'],
    ])
  })

  test('zone, capacity type and price are in its only offering', () => {
    const { type, price } = deploymentOfferedType(
      annotatedDeployment({
        ...capacityAnnotations({
          ...SIZE,
          labels: 'topology.kubernetes.io/zone=rack-1,karpenter.sh/capacity-type=spot',
        }),
        'kerf.sh/hourly-price': '0.05',
      }),
    )
    expect(price).toBe(0.05)
    expect(type?.offerings).toEqual([
      {
        requirements: [
          { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['rack-1'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
        ],
        price: 0.05,
        available: true,
      },
    ])
  })

  test('with an unknown price it is available, without a price', () => {
    const { type, price } = offered({})
    expect(price).toBeUndefined()
    expect(type?.offerings).toMatchObject([{ price: undefined, available: true }])
  })

  test('at its maximum it is unavailable', () => {
    const { type } = deploymentOfferedType(
      annotatedDeployment(
        { ...capacityAnnotations(SIZE), 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '3' },
        { replicas: 3 },
      ),
    )
    expect(type?.offerings).toMatchObject([{ available: false }])
  })

  test('with an invalid capacity type it is unavailable, and existing nodes of either kind still have a known type', () => {
    const { type, problems } = offered({ labels: 'karpenter.sh/capacity-type=reserved' })
    expect(type?.offerings.map(({ requirements, available }) => [requirements[1]?.values, available])).toEqual([
      [['on-demand'], false],
      [['spot'], false],
    ])
    expect(problems).toMatchObject([{ reason: 'CapacityTypeUnknown', found: 'karpenter.sh/capacity-type=reserved' }])
  })

  test('a GPU count without type, an invalid label, taint or price still give a type', () => {
    const { type, problems } = deploymentOfferedType(
      annotatedDeployment({
        ...capacityAnnotations({ ...SIZE, 'gpu-count': '1', labels: 'nothing', taints: 'nothing' }),
        'kerf.sh/hourly-price': 'free',
      }),
    )
    expect(formatResources(type?.capacity ?? {})).toEqual({ cpu: '2', memory: '4Gi', pods: '110' })
    expect(problems.map(({ reason, consequence }) => [reason, consequence])).toEqual([
      ['GpuIncomplete', 'left-out'],
      ['LabelInvalid', 'left-out'],
      ['PriceUnreadable', 'left-out'],
      ['TaintInvalid', 'left-out'],
    ])
  })
})

describe('the type name', () => {
  test.each(['', 'node.kubernetes.io/instance-type='])(
    'without an instance type label (%j) is namespace.name',
    (labels) => {
      const { type } = offered({ labels }, { namespace: 'shop', name: 'workers' })
      expect(type?.name).toBe('shop.workers')
      expect(singleValue(type?.requirements ?? [], 'node.kubernetes.io/instance-type')).toBe('shop.workers')
    },
  )

  test('a name that is not a label value is a problem, until the deployment has an instance type label', () => {
    const changes = { namespace: 'shop', name: 'w'.repeat(60) }
    expect(offered({}, changes).type).toBeUndefined()
    expect(offered({}, changes).problems).toMatchObject([{ reason: 'NameInvalid', name: changes.name }])
    expect(offered({ labels: 'node.kubernetes.io/instance-type=big' }, changes).type?.name).toBe('big')
  })
})

describe('what a NodePool may require of the type', () => {
  const { type } = offeredBy('v1beta2', 'machine-deployment')
  const types = type === undefined ? [] : [type]

  test('a label of the deployment that the NodePool does not mention is allowed', () => {
    expect(usableTypes(types, [])).toEqual(types)
    expect(usableTypes(types, [{ key: 'node.cluster.x-k8s.io/tier', operator: 'Exists' }])).toEqual(types)
    expect(usableTypes(types, [{ key: 'node.cluster.x-k8s.io/tier', operator: 'In', values: ['db'] }])).toEqual([])
  })

  test('the actual or assumed architecture and operating system', () => {
    expect(usableTypes(types, [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }])).toEqual(types)
    expect(usableTypes(types, [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }])).toEqual(types)
    expect(usableTypes(types, [{ key: 'kubernetes.io/os', operator: 'In', values: ['windows'] }])).toEqual([])
  })
})
