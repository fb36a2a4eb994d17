import { hashText, ownValue, parseQuantity, toNumber } from '@kerf/apis'
import { type AddressPool, addressPools, isPool } from '../addresses/address-pool.ts'
import { parseProperties } from '../api/property-string.ts'
import type { GuestConfig, GuestRef } from '../api/proxmox-api.ts'

/** The properties that a guest gets from the template that Kerf clones. */
export interface TemplateFacts extends GuestRef {
  readonly region: string
  /** Identifies the image. It changes when the template is recreated. */
  readonly imageId: string
  /** The emulated CPU, or undefined for Proxmox's default. */
  readonly cpuType: string | undefined
  readonly bootDisk: BootDisk
  /** The network interfaces, by option, for example `net0`. */
  readonly networks: ReadonlyMap<string, string>
  readonly bridges: readonly string[]
  /** The IPv4 networks from which guests get their addresses. */
  readonly addressPools: readonly AddressPool[]
  /** The option of the cloud-init drive, for example `ide2`. */
  readonly cloudInitDrive: string | undefined
}

export interface BootDisk {
  /** For example `scsi0`. */
  readonly option: string
  readonly storage: string
  /** Bytes. */
  readonly size: number
}

const configText = (config: GuestConfig, option: string): string => String(ownValue(config, option) ?? '')

const DISK = /^(?:scsi|virtio|sata|ide)\d+$/

/** Returns the options that contain disks, except cloud-init drives and CD-ROMs. */
const diskOptions = (config: GuestConfig): readonly string[] =>
  Object.keys(config)
    .filter((option) => DISK.test(option))
    .filter((option) => !/^$|cloudinit|media=cdrom/.test(configText(config, option)))
    .toSorted()

const storageIn = (value: string): string => parseProperties(value, 'file').get('file')?.split(':')[0] ?? ''

/** Parses a size. Proxmox writes binary units as a single letter. */
const bytesIn = (size: string): number => {
  const text = /^\d+(?:\.\d+)?[KMGT]$/.test(size) ? `${size}i` : size
  return text === '' ? 0 : toNumber(parseQuantity(text))
}

const bootOption = (config: GuestConfig, disks: readonly string[]): string | undefined => {
  const order = /order=([^,]*)/.exec(configText(config, 'boot'))?.[1]?.split(';') ?? [configText(config, 'bootdisk')]
  return order.find((option) => disks.includes(option)) ?? disks[0]
}

/** Returns the hash in the description if Karpenter's provider created the template. Otherwise returns a hash of the creation data. */
const configImageId = (config: GuestConfig, vmid: number): string =>
  /Hash:\s*(\d+)/.exec(configText(config, 'description'))?.[1] ?? `${vmid}-${hashText(configText(config, 'meta'))}`

/**
 * Returns a fixed IP address in the cloud-init options, or undefined if there is none. All guests of the template would share such an
 * address.
 */
const fixedAddress = (config: GuestConfig): string | undefined =>
  Object.keys(config)
    .filter((option) => /^ipconfig\d+$/.test(option))
    .flatMap((option) => {
      const properties = parseProperties(configText(config, option), 'ip')
      return ['ip', 'ip6'].flatMap((key) => properties.get(key) ?? [])
    })
    .find((address) => !['dhcp', 'auto', 'manual'].includes(address) && !isPool(address))

/** Cloud-init options that reach a guest only through a cloud-init drive. */
const CLOUD_INIT = ['cicustom', 'cipassword', 'ciuser', 'sshkeys'] as const

const cloudInitDrive = (config: GuestConfig): string | undefined =>
  Object.keys(config).find((option) => DISK.test(option) && configText(config, option).includes('cloudinit'))

/** Returns the reason why guests of the template could not run or join the cluster. Returns undefined if they can. */
const machineProblem = (config: GuestConfig): string | undefined => {
  const given = CLOUD_INIT.filter((option) => configText(config, option) !== '')
  if (given.length > 0 && cloudInitDrive(config) === undefined)
    return `it has ${given.join(', ')} and no cloud-init drive; add one with "qm set ID --ide2 STORAGE:cloudinit"`
  const arch = configText(config, 'arch')
  if (arch !== '' && arch !== 'x86_64') return `its architecture is ${arch}, and instance types have amd64`
  const express = Object.keys(config).find(
    (option) => /^hostpci\d+$/.test(option) && parseProperties(configText(config, option), 'host').get('pcie') === '1',
  )
  return express !== undefined && !/q35/.test(configText(config, 'machine'))
    ? `${express} has pcie=1, which needs the machine q35; run "qm set ID --machine q35"`
    : undefined
}

/** Returns the facts of a template, or a phrase with the reason why it cannot be used. */
export const templateFacts = (region: string, guest: GuestRef, config: GuestConfig): TemplateFacts | string => {
  const disks = diskOptions(config)
  const option = bootOption(config, disks)
  if (option === undefined) return 'it has no boot disk'
  const storages = new Set(disks.map((disk) => storageIn(configText(config, disk))))
  if (storages.size > 1) return `its disks are on several storages (${[...storages].toSorted().join(', ')})`
  const address = fixedAddress(config)
  if (address !== undefined)
    return `every guest would have its address ${address}; use dhcp, auto, or a network such as 10.0.0.0/24`
  const machine = machineProblem(config)
  if (machine !== undefined) return machine
  const networks = Object.keys(config).filter((each) => /^net\d+$/.test(each))
  const cpu = configText(config, 'cpu')
  return {
    ...{ region, ...guest, imageId: configImageId(config, guest.vmid) },
    cpuType: cpu === '' ? undefined : parseProperties(cpu, 'cputype').get('cputype'),
    bootDisk: {
      option,
      storage: storageIn(configText(config, option)),
      size: bytesIn(parseProperties(configText(config, option), 'file').get('size') ?? ''),
    },
    networks: new Map(networks.toSorted().map((each) => [each, configText(config, each)])),
    bridges: [
      ...new Set(networks.flatMap((each) => parseProperties(configText(config, each), 'model').get('bridge') ?? [])),
    ].toSorted(),
    addressPools: addressPools(config),
    cloudInitDrive: cloudInitDrive(config),
  }
}
