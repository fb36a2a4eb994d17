import type { UploadedFile } from './multipart.ts'
import type { Parameters } from './parameters.ts'

/**
 * The types for the calls to one Proxmox cluster. They contain only the fields that the provider uses, with their wire names
 * (`providers/proxmox/docs/spec/proxmox.md#api-calls`).
 */

/** An entry of `cluster/resources`: a hypervisor, a guest, or a storage on one hypervisor. */
export interface ClusterResource {
  readonly type: string
  readonly node?: string
  readonly status?: string
  readonly name?: string
  /** Of guests. */
  readonly vmid?: number
  readonly template?: number
  readonly tags?: string
  readonly lock?: string
  readonly pool?: string
  /** For a guest, its virtual CPUs; for a hypervisor, its logical CPUs. */
  readonly maxcpu?: number
  /** The used fraction of the CPUs. */
  readonly cpu?: number
  /** Bytes. */
  readonly maxmem?: number
  /** Bytes of a storage. */
  readonly maxdisk?: number
  readonly disk?: number
  readonly storage?: string
  readonly content?: string
  readonly shared?: number
}

/** The stored options of a guest, for example `scsi0` and `net0`. Values are strings or numbers. */
export type GuestConfig = Readonly<Record<string, string | number | undefined>>

export interface TaskStatus {
  readonly status: 'running' | 'stopped'
  /** `OK`, `WARNINGS: n`, or the error. Absent while the task runs. */
  readonly exitstatus?: string
}

export interface FirewallRule {
  readonly pos: number
  readonly type: string
  readonly action: string
  readonly iface?: string
  readonly enable?: number
}

/** The state of the high-availability manager. If it manages nothing, the fields are absent. */
export interface HaStatus {
  readonly lrm_status?: Readonly<Record<string, { readonly mode?: string }>>
  readonly manager_status?: { readonly node_status?: Readonly<Record<string, string>> }
}

export interface NetworkInterface {
  readonly iface: string
  readonly active?: number
  /** The addresses of the hypervisor on this interface, with prefixes. */
  readonly cidr?: string
  readonly cidr6?: string
  readonly gateway?: string
  readonly gateway6?: string
  readonly mtu?: string | number
}

/** The CPUs and the memory of a hypervisor. */
export interface NodeStatus {
  /** `cpus` are the logical CPUs, `cores` the cores of all sockets. */
  readonly cpuinfo: {
    readonly cpus: number
    readonly cores?: number
    readonly sockets?: number
    readonly model?: string
  }
  /** Bytes. */
  readonly memory: { readonly total: number }
}

export interface StorageVolume {
  /** The ID of the volume, for example `local:import/talos-1.raw`. */
  readonly volid: string
}

/** The privileges of a token by path. The value is 1 if the privilege also applies below the path. */
export type Privileges = Readonly<Record<string, Readonly<Record<string, number>>>>

/** A guest, and the hypervisor on which it runs. */
export interface GuestRef {
  readonly node: string
  readonly vmid: number
}

/** Identifies a task of Proxmox. It contains the hypervisor that runs the task. */
export type Upid = string

export interface CloneRequest {
  readonly newid: number
  readonly name: string
  readonly description: string
  readonly full: boolean
  /** The storage of the clone's disks. Set only for full clones. */
  readonly storage?: string | undefined
  readonly pool?: string | undefined
}

/** An image that Proxmox downloads to a storage. */
export interface DownloadRequest {
  readonly url: string
  readonly filename: string
  readonly checksum?: string | undefined
  readonly 'checksum-algorithm'?: string | undefined
}

/** @throws ProxmoxApiError if Proxmox refuses the call; NoResponseError if there is no response; the abort reason of the signal */
export interface ProxmoxApi {
  /** Returns the privileges of the token by path. */
  permissions(signal: AbortSignal): Promise<Privileges>
  resources(signal: AbortSignal): Promise<readonly ClusterResource[]>
  haStatus(signal: AbortSignal): Promise<HaStatus>
  securityGroups(signal: AbortSignal): Promise<readonly { readonly group: string }[]>
  nodeStatus(node: string, signal: AbortSignal): Promise<NodeStatus>
  bridges(node: string, signal: AbortSignal): Promise<readonly NetworkInterface[]>
  config(guest: GuestRef, signal: AbortSignal): Promise<GuestConfig>
  /** Returns the status `running` or `stopped`, and the lock if there is one. */
  status(guest: GuestRef, signal: AbortSignal): Promise<{ readonly status: string; readonly lock?: string }>
  clone(template: GuestRef, request: CloneRequest, signal: AbortSignal): Promise<Upid>
  /** `size` is the new size in GiB. */
  resize(guest: GuestRef, disk: string, size: number, signal: AbortSignal): Promise<Upid | undefined>
  configure(guest: GuestRef, options: Parameters, signal: AbortSignal): Promise<void>
  /** Inserts a volume into the CD-ROM drive `ide2`, or ejects it if there is none, and sets the tags. */
  attachDisk(guest: GuestRef, volume: string | undefined, tags: string, signal: AbortSignal): Promise<void>
  regenerateCloudInit(guest: GuestRef, signal: AbortSignal): Promise<void>
  start(guest: GuestRef, signal: AbortSignal): Promise<Upid>
  stop(guest: GuestRef, signal: AbortSignal): Promise<Upid>
  /** Deletes a stopped guest with its disks, its firewall rules, and its entries in backup and replication jobs. */
  destroy(guest: GuestRef, signal: AbortSignal): Promise<Upid>
  task(upid: Upid, signal: AbortSignal): Promise<TaskStatus>
  firewallRules(guest: GuestRef, signal: AbortSignal): Promise<readonly FirewallRule[]>
  addFirewallRule(guest: GuestRef, rule: Omit<FirewallRule, 'pos'>, signal: AbortSignal): Promise<void>
  removeFirewallRule(guest: GuestRef, position: number, signal: AbortSignal): Promise<void>
  /** Enables the firewall of a guest, so that it drops incoming packets that no rule accepts. */
  enableFirewall(guest: GuestRef, signal: AbortSignal): Promise<void>
  addToPool(pool: string, vmid: number, signal: AbortSignal): Promise<void>
  removeFromPool(pool: string, vmid: number, signal: AbortSignal): Promise<void>
  /** Returns the volumes of a storage with this content type. */
  volumes(node: string, storage: string, content: string, signal: AbortSignal): Promise<readonly StorageVolume[]>
  /** Downloads a disk image. Proxmox verifies the server's certificate. */
  downloadImage(node: string, storage: string, request: DownloadRequest, signal: AbortSignal): Promise<Upid>
  deleteVolume(node: string, storage: string, volume: string, signal: AbortSignal): Promise<Upid | undefined>
  /** Stores an ISO file. Replaces an existing file with the same name. */
  uploadIso(node: string, storage: string, file: UploadedFile, signal: AbortSignal): Promise<Upid>
  createGuest(node: string, options: Parameters, signal: AbortSignal): Promise<Upid>
  convertToTemplate(guest: GuestRef, signal: AbortSignal): Promise<Upid | undefined>
}
