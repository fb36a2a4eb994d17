import type { DescribedType } from '../api/actions.ts'
import type { ECSNodeClassSpec } from '../node-class/ecs-node-class.ts'
import { knownTypes } from '../tables/known-types.ts'

/** The network type of an ACK cluster, and the node class fields that affect the capacity of its instance types. */
export interface TypeSetting {
  readonly network: string
  readonly spec: Pick<ECSNodeClassSpec, 'kubeletConfiguration' | 'systemDisk'>
}

/** Three settings that together reach every branch of upstream's code. */
export const typeSettings: readonly TypeSetting[] = [
  { network: 'other', spec: {} },
  { network: 'terway-eniip', spec: { kubeletConfiguration: { podsPerCore: 4 }, systemDisk: { volumeSize: '100G' } } },
  { network: 'Flannel', spec: { kubeletConfiguration: { maxPods: 30 }, systemDisk: { volumeSize: '1Ti' } } },
]

/** Instance types with an unusual name, architecture, GPU or size. */
const PECULIAR = ['ecs.e-c1m1.large', 'ecs.re4.40xlarge', 'ecs.g8y.large', 'ecs.gn6i-c4g1.xlarge', 'ecs.ga1.xlarge']
const COUNT = 60

/** Returns 60 of Kerf's built-in instance types, in the format of the API. */
export const typeCases = (): readonly DescribedType[] => {
  const known = knownTypes()
  const withEnis = [...known.values()].filter(({ enis }) => enis !== undefined)
  const spread = Array.from({ length: COUNT }, (_, index) => withEnis[Math.floor((index * withEnis.length) / COUNT)])
  const chosen = [...PECULIAR.map((name) => known.get(name)), ...spread].filter((type) => type !== undefined)
  return [...new Map(chosen.map((type) => [type.name, type])).values()].slice(0, COUNT).map((type) => ({
    InstanceTypeId: type.name,
    CpuCoreCount: type.vcpus,
    MemorySize: type.memoryGiB,
    CpuArchitecture: type.arch === 'arm64' ? 'ARM' : 'X86',
    PhysicalProcessorModel: type.arch === 'arm64' ? 'YiTian 710' : 'Intel(R) Xeon(R) Platinum 8369B',
    GPUAmount: type.gpus?.count ?? 0,
    GPUSpec: type.gpus?.model ?? '',
    GPUMemorySize: type.gpus === undefined ? 0 : 16,
    EniQuantity: type.enis ?? 3,
    EniPrivateIpAddressQuantity: type.ipsPerEni ?? 10,
  }))
}
