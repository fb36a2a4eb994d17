import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import { awsWellKnownLabels, ZONE_ID_LABEL } from '../label-names.ts'
import type { PlacementGroup } from '../node-class/node-class-traits.ts'
import { bytes, resolve, type Setting } from '../testing/resolved-type.ts'
import { ec2Type, typeRows } from '../testing/type-table.ts'

const typeLabels = (type: InstanceType): Record<string, readonly string[] | 'absent'> =>
  Object.fromEntries(
    type.requirements.map((each: RequirementSpec) => [
      each.key,
      each.operator === 'In' ? (each.values ?? []) : 'absent',
    ]),
  )

describe('labels', () => {
  test('a GPU type has all labels', () => {
    const type = resolve(ec2Type('g4dn.xlarge'), { facts: { baselineNetworkBandwidth: 5000, branchInterfaces: 39 } })
    expect(typeLabels(type)).toMatchInlineSnapshot(`
      {
        "karpenter.k8s.aws/capacity-reservation-id": "absent",
        "karpenter.k8s.aws/capacity-reservation-interruptible": "absent",
        "karpenter.k8s.aws/capacity-reservation-type": "absent",
        "karpenter.k8s.aws/instance-accelerator-count": "absent",
        "karpenter.k8s.aws/instance-accelerator-manufacturer": "absent",
        "karpenter.k8s.aws/instance-accelerator-name": "absent",
        "karpenter.k8s.aws/instance-capability-flex": [
          "false",
        ],
        "karpenter.k8s.aws/instance-category": [
          "g",
        ],
        "karpenter.k8s.aws/instance-cpu": [
          "4",
        ],
        "karpenter.k8s.aws/instance-cpu-manufacturer": [
          "intel",
        ],
        "karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz": [
          "3100",
        ],
        "karpenter.k8s.aws/instance-ebs-bandwidth": [
          "4750",
        ],
        "karpenter.k8s.aws/instance-encryption-in-transit-supported": [
          "true",
        ],
        "karpenter.k8s.aws/instance-family": [
          "g4dn",
        ],
        "karpenter.k8s.aws/instance-generation": [
          "4",
        ],
        "karpenter.k8s.aws/instance-gpu-count": [
          "1",
        ],
        "karpenter.k8s.aws/instance-gpu-manufacturer": [
          "nvidia",
        ],
        "karpenter.k8s.aws/instance-gpu-memory": [
          "16384",
        ],
        "karpenter.k8s.aws/instance-gpu-name": [
          "t4",
        ],
        "karpenter.k8s.aws/instance-hypervisor": [
          "nitro",
        ],
        "karpenter.k8s.aws/instance-local-nvme": [
          "125",
        ],
        "karpenter.k8s.aws/instance-memory": [
          "16384",
        ],
        "karpenter.k8s.aws/instance-network-bandwidth": [
          "5000",
        ],
        "karpenter.k8s.aws/instance-size": [
          "xlarge",
        ],
        "karpenter.k8s.aws/instance-tenancy": [
          "default",
          "dedicated",
        ],
        "karpenter.k8s.aws/nitro-sandbox": [
          "true",
        ],
        "karpenter.k8s.aws/placement-group-id": "absent",
        "karpenter.k8s.aws/placement-group-partition": "absent",
        "karpenter.sh/capacity-type": [
          "on-demand",
          "spot",
        ],
        "kubernetes.io/arch": [
          "amd64",
        ],
        "kubernetes.io/os": [
          "linux",
        ],
        "node.kubernetes.io/instance-type": [
          "g4dn.xlarge",
        ],
        "node.kubernetes.io/windows-build": "absent",
        "topology.k8s.aws/zone-id": [
          "use1-az1",
        ],
        "topology.kubernetes.io/region": [
          "us-east-1",
        ],
        "topology.kubernetes.io/zone": [
          "us-east-1a",
        ],
      }
    `)
    expect(bytes(type, 'vpc.amazonaws.com/pod-eni')).toBe(39)
  })

  test('every well-known label either has values or is explicitly absent', () => {
    for (const { name } of typeRows) {
      const keys = resolve(ec2Type(name)).requirements.map(({ key }) => key)
      expect(new Set(keys).size, name).toBe(keys.length)
      for (const key of awsWellKnownLabels) {
        if (key !== ZONE_ID_LABEL) expect(keys, name).toContain(key)
      }
    }
  })

  test.each([
    ['m7i-flex.large', 'm', '7', 'm7i-flex', 'true'],
    ['u-6tb1.metal', 'u', '1', 'u-6tb1', 'false'],
    ['c7gn.16xlarge', 'c', '7', 'c7gn', 'false'],
    ['inf2.48xlarge', 'inf', '2', 'inf2', 'false'],
  ])('the labels from the name %s', (name, category, generation, family, flex) => {
    expect(typeLabels(resolve(ec2Type(name)))).toMatchObject({
      'karpenter.k8s.aws/instance-category': [category],
      'karpenter.k8s.aws/instance-generation': [generation],
      'karpenter.k8s.aws/instance-family': [family],
      'karpenter.k8s.aws/instance-capability-flex': [flex],
    })
  })

  test('Neuron devices are AWS accelerators; other accelerators only count if there are no Neuron devices', () => {
    expect(typeLabels(resolve(ec2Type('trn1.32xlarge')))).toMatchObject({
      'karpenter.k8s.aws/instance-accelerator-name': ['trainium'],
      'karpenter.k8s.aws/instance-accelerator-manufacturer': ['aws'],
      'karpenter.k8s.aws/instance-accelerator-count': ['16'],
    })
    const other: Ec2InstanceType = {
      ...ec2Type('m5.large'),
      InferenceAcceleratorInfo: { Accelerators: [{ Name: 'Some Chip', Manufacturer: 'Some Maker', Count: 2 }] },
    }
    expect(typeLabels(resolve(other))).toMatchObject({
      'karpenter.k8s.aws/instance-accelerator-name': ['some-chip'],
      'karpenter.k8s.aws/instance-accelerator-manufacturer': ['some-maker'],
    })
  })

  test('bare metal has an empty hypervisor label; types with two kinds of GPU have no GPU labels', () => {
    expect(typeLabels(resolve(ec2Type('m5.metal')))['karpenter.k8s.aws/instance-hypervisor']).toEqual([''])
    const [gpu = {}] = ec2Type('p3.2xlarge').GpuInfo?.Gpus ?? []
    const two = { ...ec2Type('p3.2xlarge'), GpuInfo: { Gpus: [gpu, { ...gpu, Count: 2 }] } }
    expect(typeLabels(resolve(two))['karpenter.k8s.aws/instance-gpu-name']).toBe('absent')
    expect(bytes(resolve(two), 'nvidia.com/gpu')).toBe(3)
  })

  test('Windows types have their build label, amd64 only, and their own IP address resource', () => {
    const setting: Setting = { spec: { amiFamily: 'Windows2022' }, facts: { ipv4PerInterface: 10 } }
    const type = resolve(ec2Type('m5.large'), setting)
    expect(typeLabels(type)).toMatchObject({
      'kubernetes.io/os': ['windows'],
      'node.kubernetes.io/windows-build': ['10.0.20348'],
    })
    expect(bytes(type, 'vpc.amazonaws.com/PrivateIPv4Address')).toBe(9)
    expect(typeLabels(resolve(ec2Type('m6g.large'), setting))['kubernetes.io/os']).toEqual([])
  })

  test('a partition placement group adds labels for its partitions', () => {
    const group: PlacementGroup = { id: 'pg-1', strategy: 'partition', partitions: 3 }
    expect(typeLabels(resolve(ec2Type('m5.large'), { group }))).toMatchObject({
      'karpenter.k8s.aws/placement-group-id': ['pg-1'],
      'karpenter.k8s.aws/placement-group-partition': ['1', '2', '3'],
    })
  })
})
