import type { Node } from '@kerf/apis'
import { node } from '@kerf/testing'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import type { FakeInstance } from './fake-aws/fake-instance.ts'
import { nodeConfigIn } from './node-config.ts'

/** The CPU that the kubelet of a small instance reserves. */
const KEPT_MILLICORES = 80
/**
 * Memory in MiB: what EKS reserves for each pod, what it reserves in addition, and what the kubelet keeps free
 * (`providers/aws/docs/spec/aws.md#overhead`).
 */
const KEPT_FOR_POD = 11
const KEPT_MIB = 255
const EVICTION_MIB = 100

/**
 * Returns the Node that the kubelet of an instance registers, based on the instance's user data, or undefined if the instance has
 * none. Its capacity is lower than EC2's value, because the hypervisor and the kernel use some memory. Its allocatable amount is
 * still lower, because the kubelet reserves some (Kubernetes documentation, "Reserve Compute Resources for System Daemons").
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
  const cores = machine?.VCpuInfo?.DefaultVCpus ?? 0
  const mib = Math.floor((machine?.MemoryInfo?.SizeInMiB ?? 0) * 0.93)
  const kept = KEPT_FOR_POD * Number(maxPods) + KEPT_MIB + EVICTION_MIB
  const pods = String(maxPods)
  const capacity = { cpu: String(cores), memory: `${mib}Mi`, 'ephemeral-storage': '20Gi', pods }
  const allocatable = {
    ...{ cpu: `${cores * 1000 - KEPT_MILLICORES}m`, memory: `${mib - kept}Mi`, 'ephemeral-storage': '18Gi', pods },
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
    capacity,
    status: { allocatable },
  })
}
