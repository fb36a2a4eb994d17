import { ownValue } from '@kerf/apis'
import type { Parameters } from '../api/parameters.ts'
import { formatProperties } from '../api/property-string.ts'
import type { GuestConfig } from '../api/proxmox-api.ts'
import type { ProxmoxTemplate, ProxmoxTemplateSpec } from '../node-class/proxmox-template.ts'
import { templateHash } from '../node-class/template-hash.ts'

type Interface = ProxmoxTemplateSpec['network'][number]
type Values = Readonly<Record<string, string | number | boolean | undefined>>

const USUAL_DESCRIPTION = 'The virtual machine managed by Karpenter, do not delete it.'

/** The options that Kerf may remove when a template is edited. */
const REMOVABLE = ['agent', 'nameserver', 'onboot', 'serial0', 'tags', 'vga'] as const
const MOST_DEVICES = 6

/** Formats values as a Proxmox option. Omits undefined values. */
const properties = (values: Values, defaultKey = ''): string =>
  formatProperties(
    new Map(
      Object.entries(values).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, typeof value === 'boolean' ? (value ? '1' : '0') : `${value}`] as const],
      ),
    ),
    defaultKey,
  )

/** Returns the option name of an interface, for example `net0`. */
export const interfaceOption = ({ name }: Interface, index: number): string => name ?? `net${index}`

const networkOptions = (network: readonly Interface[]): Parameters => {
  const options = network.flatMap((iface, index): readonly (readonly [string, string])[] => {
    const { bridge, model = 'virtio', mtu, vlan, firewall, address4, address6, gateway4, gateway6 } = iface
    const option = interfaceOption(iface, index)
    // Proxmox accepts an MTU only for the model virtio.
    const card = { model, bridge, mtu: model === 'virtio' ? mtu : undefined, tag: vlan, firewall }
    const addresses = properties({ ip: address4, gw: gateway4, ip6: address6, gw6: gateway6 })
    return [
      [option, properties(card, 'model')],
      [option.replace('net', 'ipconfig'), addresses === '' ? 'ip=dhcp,ip6=auto' : addresses],
    ]
  })
  const servers = network.flatMap(({ dnsServers = [] }) => dnsServers)
  return {
    ...Object.fromEntries(options),
    nameserver: servers.length === 0 ? undefined : [...new Set(servers)].join(' '),
  }
}

/** Returns the description of a template: upstream's text with the hash, followed by the Kubernetes cluster. */
const templateDescription = (template: ProxmoxTemplate, cluster: string): string =>
  `${template.spec?.description ?? USUAL_DESCRIPTION} Hash: ${templateHash(template)}\ncluster=${cluster}`

/** Returns the hash and the Kubernetes cluster in the description of a template that Karpenter's provider or Kerf created. */
export const parseTemplateDescription = (
  description: string,
): { readonly hash: string | undefined; readonly cluster: string | undefined } => ({
  hash: /Hash:\s*(\d+)/.exec(description)?.[1],
  cluster: /^cluster=(.+)$/m.exec(description)?.[1]?.trim(),
})

/**
 * Returns the options that Kerf sets in new templates and updates in existing ones
 * (`providers/proxmox/docs/spec/proxmox.md#proxmoxtemplate`).
 */
const changeableOptions = (template: ProxmoxTemplate, cluster: string): Parameters => {
  const { agent, cpu, vga, machine, network = [], onBoot, pciDevices = [], tags = [] } = template.spec ?? {}
  return {
    description: templateDescription(template, cluster),
    machine,
    agent:
      agent &&
      properties({
        enabled: agent.enabled ?? false,
        type: agent.type,
        'freeze-fs-on-backup': agent.fsFreezeOnBackup,
        fstrim_cloned_disks: agent.fsTrimClonedDisks,
      }),
    cpu: cpu && properties({ cputype: cpu.type ?? 'x86-64-v2-AES', flags: cpu.flags?.join(';') }),
    vga: vga && properties({ type: vga.type ?? 'std', memory: vga.memory }),
    serial0: vga?.type === 'serial0' ? 'socket' : undefined,
    ...networkOptions(network),
    ...Object.fromEntries(
      pciDevices.map(({ mapping, mdev, pcie, xvga }, index) => [
        `hostpci${index}`,
        properties({ mapping, mdev, pcie, 'x-vga': xvga }),
      ]),
    ),
    tags: tags.length === 0 ? undefined : [...new Set(tags)].toSorted().join(';'),
    onboot: onBoot,
  }
}

/** Returns the option of a network card with the hardware address of the stored card, if there is one. */
const withAddress = (card: string, stored: string): string => {
  const address = /^\w+=((?:[0-9A-F]{2}:){5}[0-9A-F]{2})/i.exec(stored)?.[1]
  return address === undefined ? card : card.replace(/^\w+/, (model) => `${model}=${address}`)
}

/** Returns the options for the call that updates an existing template. `stored` are the template's current options. */
export const changedOptions = (template: ProxmoxTemplate, cluster: string, stored: GuestConfig): Parameters => {
  const options = changeableOptions(template, cluster)
  const isChangeable = (name: string): boolean =>
    REMOVABLE.some((each) => each === name) || /^(?:net|ipconfig)\d+$/.test(name) || isDevice(name)
  const gone = Object.keys(stored).filter((name) => isChangeable(name) && ownValue(options, name) === undefined)
  const cards = Object.entries(options).flatMap(([name, card]) =>
    /^net\d+$/.test(name) && typeof card === 'string'
      ? [[name, withAddress(card, String(ownValue(stored, name) ?? ''))]]
      : [],
  )
  return {
    ...options,
    ...Object.fromEntries(cards),
    delete: gone.length === 0 ? undefined : gone.toSorted().join(','),
  }
}

const isDevice = (name: string): boolean => {
  const index = /^hostpci(\d+)$/.exec(name)?.[1]
  return index !== undefined && Number(index) < MOST_DEVICES
}

/** Returns the options for the call that creates the guest from which the template is made. */
export const creationOptions = (
  template: ProxmoxTemplate,
  {
    cluster,
    vmid,
    diskStorage,
    imageVolume,
  }: {
    readonly cluster: string
    readonly vmid: number
    readonly diskStorage: string
    /** The volume of the disk image, for example `local:import/talos-1.raw`. */
    readonly imageVolume: string
  },
): Parameters => {
  const { bios = 'seabios', tpm, resourcePool } = template.spec ?? {}
  return {
    ...{ vmid, name: template.metadata.name, acpi: true, cores: 1, sockets: 1, numa: true, memory: 1024, balloon: 0 },
    ...{ ostype: 'l26', scsihw: 'virtio-scsi-single', boot: 'order=scsi0', tablet: false, bios, pool: resourcePool },
    ...changeableOptions(template, cluster),
    scsi0: `file=${diskStorage}:0,format=raw,import-from=${imageVolume},iothread=on`,
    tpmstate0: tpm && `file=${diskStorage}:4,version=${tpm.version ?? 'v2.0'}`,
    efidisk0: bios === 'ovmf' ? `${diskStorage}:0,efitype=4m` : undefined,
  }
}
