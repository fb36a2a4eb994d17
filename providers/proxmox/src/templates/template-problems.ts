import { PROXMOX_TAG } from '../names.ts'
import type { ProxmoxTemplate, ProxmoxTemplateSpec } from '../node-class/proxmox-template.ts'
import { imageProblem } from './template-image.ts'
import { interfaceOption } from './template-options.ts'

const INTERFACE = /^net(?:\d|[12]\d|3[01])$/
/** Matches the guest names that Proxmox accepts. */
const GUEST_NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i

const interfaceProblems = (network: ProxmoxTemplateSpec['network']): readonly string[] => {
  const options = network.map(interfaceOption)
  return network.flatMap(({ address4, address6, gateway4, gateway6 }, index) => {
    const option = options[index] ?? ''
    const where = `spec.network[${index}]`
    const hasAddress = (address: string | undefined): boolean => address?.includes('/') === true
    return [
      ...(INTERFACE.test(option) ? [] : [`${where}.name: ${JSON.stringify(option)} must be one of net0 to net31`]),
      ...(options.indexOf(option) === index ? [] : [`${where}: two interfaces are ${option}; give each its own name`]),
      ...(gateway4 === undefined || hasAddress(address4)
        ? []
        : [`${where}.gateway4 needs an address4 with a prefix length`]),
      ...(gateway6 === undefined || hasAddress(address6)
        ? []
        : [`${where}.gateway6 needs an address6 with a prefix length`]),
    ]
  })
}

/** Returns the problems of fields whose values Proxmox refuses. Karpenter's CRD accepts such values. */
export const templateProblems = ({ metadata, spec }: ProxmoxTemplate): readonly string[] => {
  if (spec === undefined) return ['spec is missing; give it sourceImage, storageIDs and network']
  const { cpu, machine = 'q35', network, pciDevices = [], sourceImage, tags = [] } = spec
  const image = imageProblem(sourceImage)
  return [
    ...(GUEST_NAME.test(metadata.name) ? [] : [`metadata.name: Proxmox accepts only DNS names, not ${metadata.name}`]),
    ...(image === undefined ? [] : [image]),
    ...interfaceProblems(network),
    ...(cpu?.flags ?? [])
      .filter((flag) => !/^[+-]\S+$/.test(flag))
      .map((flag) => `spec.cpu.flags: ${JSON.stringify(flag)} must begin with + or -`),
    ...tags
      .filter((tag) => !PROXMOX_TAG.test(tag))
      .map(
        (tag) =>
          `spec.tags: ${JSON.stringify(tag)} must have only letters, digits and "_-+.", and begin with none of "-+."`,
      ),
    ...(machine !== 'q35' && pciDevices.some(({ pcie }) => pcie === true)
      ? ['spec.pciDevices: pcie needs spec.machine q35']
      : []),
  ]
}
