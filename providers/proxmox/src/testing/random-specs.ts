import { flag, listOf, maybe, number, one, type Random } from '@kerf/provider-kit/testing'
import type { ProxmoxNodeClassSpec } from '../node-class/proxmox-node-class.ts'
import type { ProxmoxTemplateSpec } from '../node-class/proxmox-template.ts'

type Kubelet = NonNullable<ProxmoxNodeClassSpec['kubeletConfiguration']>
type Network = ProxmoxTemplateSpec['network'][number]

const SIZES = ['30G', '50Gi', '1T', '2Ti']
const POOLS = ['a', 'a/b', 'A.b-c_d/e/f']
const TAGS = ['web', 'team-a', 'x'.repeat(30)]

const kubelet = (random: Random): Kubelet => ({
  ...maybe(random, 'cpuManagerPolicy', () => one(random, ['none', 'static'] as const)),
  ...maybe(random, 'cpuCFSQuota', () => flag(random)),
  ...maybe(random, 'cpuCFSQuotaPeriod', () => one(random, ['100ms', '1s'])),
  ...maybe(random, 'topologyManagerPolicy', () => one(random, ['restricted', 'best-effort', 'none'] as const)),
  ...maybe(random, 'topologyManagerScope', () => one(random, ['container', 'pod'] as const)),
  ...maybe(random, 'imageGCHighThresholdPercent', () => number(random, 0, 100)),
  ...maybe(random, 'imageGCLowThresholdPercent', () => number(random, 0, 100)),
  ...maybe(random, 'allowedUnsafeSysctls', () => ['net.*']),
  ...maybe(random, 'clusterDNS', () => listOf(random, 3, () => '10.96.0.10')),
  ...maybe(random, 'maxPods', () => number(random, 10, 250)),
  ...maybe(random, 'shutdownGracePeriod', () => '30s'),
  ...maybe(random, 'failSwapOn', () => flag(random)),
})

/** Returns the spec of a random ProxmoxNodeClass that the CRD of Karpenter's provider accepts. */
export const randomClassSpec = (random: Random): ProxmoxNodeClassSpec => ({
  instanceTemplateRef: {
    kind: one(random, ['ProxmoxTemplate', 'ProxmoxUnmanagedTemplate'] as const),
    name: one(random, ['a', 'debian-13']),
  },
  ...maybe(random, 'region', () => one(random, ['home', 'r 1'])),
  ...maybe(random, 'placementStrategy', () => ({
    ...maybe(random, 'zoneBalance', () => one(random, ['Balanced', 'AvailabilityFirst'] as const)),
  })),
  ...maybe(random, 'bootDevice', () => ({
    ...maybe(random, 'size', () => one(random, SIZES)),
    ...maybe(random, 'storage', () => one(random, ['', 'ceph', 'x'.repeat(30)])),
  })),
  ...maybe(random, 'kubeletConfiguration', () => kubelet(random)),
  ...maybe(random, 'metadataOptions', () => ({
    ...maybe(random, 'type', () => one(random, ['none', 'cdrom'] as const)),
    ...maybe(random, 'templatesRef', () => ({ name: 'templates', ...maybe(random, 'namespace', () => 'kube-system') })),
    ...maybe(random, 'valuesRef', () => ({ name: 'values' })),
  })),
  ...maybe(random, 'securityGroups', () =>
    listOf(random, 3, () => ({
      name: one(random, ['k8s', 'ssh', 'x'.repeat(30)]),
      ...maybe(random, 'interface', () => one(random, ['net0', 'net31', 'a net1 b'])),
    })),
  ),
  ...maybe(random, 'tags', () => listOf(random, 3, () => one(random, TAGS))),
  ...maybe(random, 'resourcePool', () => one(random, POOLS)),
})

const network = (random: Random): Network => ({
  bridge: one(random, ['vmbr0', 'v']),
  ...maybe(random, 'name', () => one(random, ['net0', 'eth0'])),
  ...maybe(random, 'model', () => one(random, ['e1000', 'rtl8139', 'virtio', 'vmxnet3'] as const)),
  ...maybe(random, 'mtu', () => one(random, [1, 576, 1_500, 65_520])),
  ...maybe(random, 'vlan', () => number(random, 1, 4_094)),
  ...maybe(random, 'address4', () => one(random, ['10.0.0.0/24', 'dhcp'])),
  ...maybe(random, 'gateway4', () => '10.0.0.1'),
  ...maybe(random, 'address6', () => one(random, ['auto', '2001:db8::/64'])),
  ...maybe(random, 'dnsServers', () => ['1.1.1.1']),
  ...maybe(random, 'firewall', () => flag(random)),
})

/** Returns the spec of a random ProxmoxTemplate that the CRD of Karpenter's provider accepts. */
export const randomTemplateSpec = (random: Random): ProxmoxTemplateSpec => ({
  sourceImage: {
    url: one(random, ['https://example.com/a.qcow2', 'http://a.b-c.io']),
    ...maybe(random, 'imageName', () => one(random, ['debian.qcow2', 'x'.repeat(64)])),
    ...maybe(random, 'checksum', () => 'a'.repeat(number(random, 32, 128))),
    ...maybe(random, 'checksumType', () => one(random, ['md5', 'sha224', 'sha512'] as const)),
  },
  storageIDs: ['local', ...listOf(random, 2, () => 'ceph')],
  network: [network(random), ...listOf(random, 2, () => network(random))],
  ...maybe(random, 'region', () => 'home'),
  ...maybe(random, 'description', () => one(random, ['a', 'ü<&>'])),
  ...maybe(random, 'machine', () => one(random, ['pc', 'q35'] as const)),
  ...maybe(random, 'bios', () => one(random, ['seabios', 'ovmf'] as const)),
  ...maybe(random, 'tpm', () => ({ ...maybe(random, 'version', () => one(random, ['v1.2', 'v2.0'] as const)) })),
  ...maybe(random, 'agent', () => ({
    ...maybe(random, 'enabled', () => flag(random)),
    ...maybe(random, 'type', () => one(random, ['virtio', 'isa'] as const)),
    ...maybe(random, 'fsTrimClonedDisks', () => flag(random)),
  })),
  ...maybe(random, 'cpu', () => ({
    ...maybe(random, 'type', () => one(random, ['host', 'kvm64', 'x86-64-v3'] as const)),
    ...maybe(random, 'flags', () => listOf(random, 3, () => one(random, ['+aes', '-pcid']))),
  })),
  ...maybe(random, 'vga', () => ({
    ...maybe(random, 'type', () => one(random, ['none', 'serial0', 'vmware'] as const)),
    ...maybe(random, 'memory', () => number(random, 4, 512)),
  })),
  ...maybe(random, 'pciDevices', () =>
    listOf(random, 2, () => ({ mapping: 'gpu', ...maybe(random, 'pcie', () => flag(random)) })),
  ),
  ...maybe(random, 'tags', () => listOf(random, 3, () => one(random, TAGS))),
  ...maybe(random, 'resourcePool', () => one(random, POOLS)),
  ...maybe(random, 'onBoot', () => flag(random)),
})

/** Returns the spec of a random ProxmoxUnmanagedTemplate that the CRD of Karpenter's provider accepts. */
export const randomUnmanagedSpec = (random: Random): object => ({
  ...maybe(random, 'region', () => 'home'),
  ...one(random, [{ templateName: 'talos' }, { tags: ['talos'] }, { templateName: 'a', tags: ['b', 'c'] }]),
})
