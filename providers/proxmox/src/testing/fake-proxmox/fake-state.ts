import type { Milliseconds } from '@kerf/apis'

export const GIB = 1024 ** 3

export interface FakeNode {
  readonly name: string
  readonly cpus: number
  /** Bytes. */
  readonly memory: number
  readonly load: number
  /** The CPU model, the cores of all sockets, the sockets, and the IDs of the NUMA nodes. */
  readonly model: string
  readonly cores: number
  readonly sockets: number
  readonly numaNodes: readonly number[]
  readonly isOnline: boolean
  readonly isInMaintenance: boolean
  readonly bridges: readonly string[]
  /** The hypervisor's address on every bridge, with the prefix. */
  readonly cidr?: string
}

export interface FakeStorage {
  readonly name: string
  readonly node: string
  readonly contents: readonly string[]
  /** Bytes. */
  readonly total: number
  readonly used: number
}

/** The options of a guest, in Proxmox's stored format. */
export type FakeConfig = Record<string, string | number>

export interface FakeRule {
  readonly type: string
  readonly action: string
  readonly iface: string
  readonly enable: number
}

/** A guest of a fake Proxmox cluster. */
export interface FakeGuest {
  readonly vmid: number
  readonly node: string
  readonly config: FakeConfig
  status: 'running' | 'stopped'
  readonly createdAt: Milliseconds
  pool: string | undefined
  hasFirewall: boolean
  rules: FakeRule[]
  isEnding: boolean
}

export const hypervisor = (name: string, change: Partial<FakeNode> = {}): FakeNode => ({
  ...{ name, cpus: 64, memory: 256 * GIB, load: 0.1, isOnline: true, isInMaintenance: false, bridges: ['vmbr0'] },
  ...{ model: 'Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz', cores: 32, sockets: 2, numaNodes: [0, 1] },
  ...change,
})

export const diskStorageOn = (node: string, change: Partial<FakeStorage> = {}): FakeStorage => ({
  ...{ name: 'local-lvm', node, contents: ['images', 'rootdir'], total: 1_000 * GIB, used: 0 },
  ...change,
})

export const fileStorageOn = (node: string, change: Partial<FakeStorage> = {}): FakeStorage =>
  diskStorageOn(node, { name: 'local', contents: ['import', 'iso', 'vztmpl'], ...change })

/** Returns the options of a template whose guests join a cluster without cloud-init. */
export const templateConfig = (vmid: number, change: FakeConfig = {}): FakeConfig => ({
  ...{ name: 'talos', template: 1, tags: 'talos', cores: 1, sockets: 1, memory: 1024, cpu: 'x86-64-v2-AES' },
  ...{ boot: 'order=scsi0', scsi0: `local-lvm:base-${vmid}-disk-0,iothread=1,size=3G`, scsihw: 'virtio-scsi-single' },
  ...{
    net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
    ipconfig0: 'ip=dhcp',
    ide2: `local-lvm:vm-${vmid}-cloudinit,media=cdrom`,
  },
  ...{ smbios1: 'uuid=00000000-0000-4000-8000-000000000001', meta: 'creation-qemu=9.2.0,ctime=1760000000' },
  ...change,
})
