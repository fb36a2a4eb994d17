import type { Node } from '@kerf/apis'
import { node } from '@kerf/testing'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import type { FakeInstance } from './fake-aws/fake-instance.ts'
import { nodeConfigIn } from './node-config.ts'

/** The CPU that the kubelet of a small instance reserves. */
const KEPT_MILLICORES = 80

/**
 * The Node that the kubelet of an instance registers, as the instance's user data says; nothing for an instance without
 * user data. It reports less capacity than EC2 promises, because hypervisor, kernel and kubelet use some.
 */
export const fakeNode = (
  { data, userData }: FakeInstance,
  types: readonly Ec2InstanceType[],
): (Node & { readonly status: NonNullable<Node['status']> }) | undefined => {
  if (userData === undefined) return undefined
  const { InstanceId: id, InstanceType: type = '', Placement: place } = data
  const { labels, taints, maxPods } = nodeConfigIn(Buffer.from(userData, 'base64').toString())
  const machine = types.find((each) => each.InstanceType === type)
  const zone = place?.AvailabilityZone ?? ''
  const name = `ip-${id}`
  const amounts = {
    cpu: `${(machine?.VCpuInfo?.DefaultVCpus ?? 0) * 1000 - KEPT_MILLICORES}m`,
    memory: `${Math.floor((machine?.MemoryInfo?.SizeInMiB ?? 0) * 0.93)}Mi`,
    'ephemeral-storage': '20Gi',
    pods: String(maxPods),
  }
  return node(name, {
    labels: {
      ...labels,
      'kubernetes.io/hostname': name,
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': machine?.ProcessorInfo?.SupportedArchitectures?.[0] === 'arm64' ? 'arm64' : 'amd64',
      'node.kubernetes.io/instance-type': type,
      'topology.kubernetes.io/zone': zone,
    },
    providerID: `aws:///${zone}/${id}`,
    spec: { taints },
    capacity: amounts,
  })
}
