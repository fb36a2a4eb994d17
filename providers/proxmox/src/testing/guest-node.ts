import { type Node, taints } from '@kerf/apis'
import { node } from '@kerf/testing'
import { parseDescription } from '../guests/guest-description.ts'
import { providerId } from '../names.ts'
import type { FakeGuest } from './fake-proxmox/fake-state.ts'

/** The MiB of memory that are invisible to Linux or reserved for the kubelet and the system. */
const RESERVED = 384 + 64 + 100

/** Returns the millicores that are reserved for the kubelet and the system. */
const reservedCpu = (cpus: number): number => (cpus <= 1 ? 30 : cpus < 4 ? 60 : 110)

/** Returns the maximum number of pods on a node. */
const podsOn = (cpus: number): number => (cpus <= 1 ? 32 : cpus <= 2 ? 64 : 110)

/** Returns the Node that a guest registers, with the labels of Proxmox's cloud controller manager. */
export const registeredNode = (region: string, { vmid, node: zone, config }: FakeGuest): Node => {
  const name = String(config['name'])
  const { instanceType = '' } = parseDescription(String(config['description'] ?? '')) ?? {}
  const [cpus, memory] = [Number(config['cores']), Number(config['memory'])]
  const common = { 'ephemeral-storage': '30Gi', pods: `${podsOn(cpus)}` }
  const made = node(name, {
    labels: {
      'kubernetes.io/hostname': name,
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      'node.kubernetes.io/instance-type': instanceType,
      'topology.kubernetes.io/region': region,
      'topology.kubernetes.io/zone': zone,
    },
    providerID: providerId({ region, vmid }),
    spec: { taints: [taints.unregistered] },
  })
  return {
    ...made,
    status: {
      ...made.status,
      capacity: { cpu: `${cpus}`, memory: `${memory}Mi`, ...common },
      allocatable: { cpu: `${cpus * 1_000 - reservedCpu(cpus)}m`, memory: `${memory - RESERVED}Mi`, ...common },
    },
  }
}
