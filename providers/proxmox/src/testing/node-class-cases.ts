import { CASE_NAME, type ConformanceCase, caseTable, conditionCases, many, refused } from '@kerf/apis/conformance'
import { proxmoxNodeClassDescriptor } from '../node-class/node-class-descriptor.ts'
import { proxmoxNodeClassKind } from '../node-class/proxmox-node-class.ts'
import { proxmoxTemplateKind } from '../node-class/proxmox-template.ts'
import { proxmoxTemplateDescriptor, unmanagedTemplateDescriptor } from '../node-class/template-descriptors.ts'
import { unmanagedTemplateKind } from '../node-class/unmanaged-template.ts'

const POOLS = { good: ['a', 'a/b/c', 'A.b-c_d', 'x'.repeat(64)], bad: ['', '-a', 'a//b', 'a/b/c/d', 'x'.repeat(65)] }
const ref = { instanceTemplateRef: { kind: 'ProxmoxTemplate', name: 'a' } }

const classCases = (): readonly ConformanceCase[] => {
  const table = caseTable(proxmoxNodeClassKind, {
    ...proxmoxNodeClassDescriptor.example,
    ...{ metadata: { name: CASE_NAME }, spec: ref },
  })
  table.accepts(
    'the least',
    {},
    {
      'spec.bootDevice': { size: '30G' },
      'spec.metadataOptions': { type: 'none' },
      'spec.placementStrategy': { zoneBalance: 'Balanced' },
    },
  )
  table.accepts('no spec', { spec: undefined }, { spec: undefined })
  table.refuses('no template', { 'spec/instanceTemplateRef': undefined }, 'spec.instanceTemplateRef')
  table.refuses('another kind', { 'spec/instanceTemplateRef/kind': 'Other' }, 'spec.instanceTemplateRef.kind')
  table.refuses('an empty name', { 'spec/instanceTemplateRef/name': '' }, 'spec.instanceTemplateRef.name')
  table.acceptsEach('spec/region', ['a'])
  table.refusesEach('spec/region', ['', 1], 'spec.region')
  table.accepts('a boot device without a size', { 'spec/bootDevice': {} }, { 'spec.bootDevice': {} })
  for (const size of ['1G', '30Gi', '1T', '2Ti']) table.accepts(`size ${size}`, { 'spec/bootDevice': { size } })
  for (const size of ['30', '30M', '1.5G', 'G', ''])
    table.refuses(`size ${JSON.stringify(size)}`, { 'spec/bootDevice': { size } }, 'spec.bootDevice.size')
  table.accepts('30 characters', { 'spec/bootDevice': { size: '30G', storage: 'x'.repeat(30) } })
  table.refuses(
    '31 characters',
    { 'spec/bootDevice': { size: '30G', storage: 'x'.repeat(31) } },
    'spec.bootDevice.storage',
  )
  for (const maxPods of [10, 250]) table.accepts(`${maxPods} pods`, { 'spec/kubeletConfiguration': { maxPods } })
  for (const maxPods of [9, 251])
    table.refuses(`${maxPods} pods`, { 'spec/kubeletConfiguration': { maxPods } }, 'spec.kubeletConfiguration.maxPods')
  table.accepts('cdrom', { 'spec/metadataOptions': { type: 'cdrom', templatesRef: { name: 'a', namespace: 'b' } } })
  table.refuses('another metadata type', { 'spec/metadataOptions': { type: 'disk' } }, 'spec.metadataOptions.type')
  table.acceptsEach('spec/tags', [[], many(10, () => 'a')])
  table.refusesEach('spec/tags', [many(11, () => 'a'), 'a'], 'spec.tags')
  table.accepts(
    'a group without an interface',
    { 'spec/securityGroups': [{ name: 'web' }] },
    { 'spec.securityGroups': [{ interface: 'net0', name: 'web' }] },
  )
  table.refuses('a group without a name', { 'spec/securityGroups': [{}] }, 'spec.securityGroups[0].name')
  table.refuses('11 groups', { 'spec/securityGroups': many(11, () => ({ name: 'a' })) }, 'spec.securityGroups')
  table.acceptsEach('spec/resourcePool', POOLS.good)
  table.refusesEach('spec/resourcePool', POOLS.bad, 'spec.resourcePool')
  table.update('a bad edit', {}, { 'spec/region': '' }, refused('spec.region'))
  conditionCases(table, false, 'atomic')
  return table.cases
}

const templateCases = (): readonly ConformanceCase[] => {
  const table = caseTable(proxmoxTemplateKind, {
    ...proxmoxTemplateDescriptor.example,
    metadata: { name: CASE_NAME },
  })
  table.accepts(
    'the least',
    {},
    {
      ...{ 'spec.machine': 'q35', 'spec.bios': 'seabios', 'spec.cpu': { type: 'x86-64-v2-AES' } },
      'spec.network': [{ bridge: 'vmbr0', model: 'virtio', mtu: 1500 }],
    },
  )
  for (const field of ['sourceImage', 'storageIDs', 'network'])
    table.refuses(`no ${field}`, { [`spec/${field}`]: undefined }, `spec.${field}`)
  for (const url of ['http://a.de', 'https://a.example.com/x.raw?y=1'])
    table.accepts(`the image ${url}`, { 'spec/sourceImage': { url } })
  for (const url of ['https://host/x.raw', 'https://10.0.0.1/x.raw', 'https://a.de:8443/x.raw', 'ftp://a.de/x'])
    table.refuses(`the image ${url}`, { 'spec/sourceImage': { url } }, 'spec.sourceImage.url')
  table.refusesEach('spec/storageIDs', [[], 'a'], 'spec.storageIDs')
  table.refuses('no interface', { 'spec/network': [] }, 'spec.network')
  table.refuses('seven interfaces', { 'spec/network': many(7, () => ({ bridge: 'a' })) }, 'spec.network')
  for (const mtu of [1, 576, 65_520]) table.accepts(`MTU ${mtu}`, { 'spec/network': [{ bridge: 'a', mtu }] })
  for (const mtu of [0, 2, 575, 65_521])
    table.refuses(`MTU ${mtu}`, { 'spec/network': [{ bridge: 'a', mtu }] }, 'spec.network[0].mtu')
  for (const vlan of [0, 4_095])
    table.refuses(`VLAN ${vlan}`, { 'spec/network': [{ bridge: 'a', vlan }] }, 'spec.network[0].vlan')
  table.acceptsEach('spec/machine', ['pc', 'q35'])
  table.refusesEach('spec/machine', ['virt'], 'spec.machine')
  table.refusesEach('spec/bios', ['uefi'], 'spec.bios')
  table.accepts('a TPM', { 'spec/tpm': {} }, { 'spec.tpm': { version: 'v2.0' } })
  table.accepts('an agent', { 'spec/agent': {} }, { 'spec.agent': { enabled: false, type: 'virtio' } })
  table.refuses('a vga memory of 3', { 'spec/vga': { memory: 3 } }, 'spec.vga.memory')
  table.refuses('11 flags', { 'spec/cpu': { flags: many(11, () => '+aes') } }, 'spec.cpu.flags')
  table.refuses('a device without a mapping', { 'spec/pciDevices': [{}] }, 'spec.pciDevices[0].mapping')
  table.acceptsEach('spec/resourcePool', POOLS.good)
  table.refusesEach('spec/resourcePool', POOLS.bad, 'spec.resourcePool')
  conditionCases(table, false, 'atomic')
  return table.cases
}

const unmanagedCases = (): readonly ConformanceCase[] => {
  const table = caseTable(unmanagedTemplateKind, {
    ...unmanagedTemplateDescriptor.example,
    metadata: { name: CASE_NAME },
  })
  table.accepts('a name', {})
  table.accepts('tags alone', { spec: { tags: ['a'] } })
  table.accepts('no spec', { spec: undefined }, { spec: undefined })
  table.refuses('neither', { spec: { region: 'a' } }, 'spec')
  table.refuses('no tags', { spec: { tags: [] } }, 'spec.tags')
  table.refuses('11 tags', { spec: { tags: many(11, () => 'a') } }, 'spec.tags')
  table.refusesEach('spec/templateName', [''], 'spec.templateName')
  conditionCases(table, false, 'atomic')
  return table.cases
}

/** Returns cases that the CRDs of Proxmox accept or reject. The verdicts equal those of Karpenter's provider (373cfeb). */
export const proxmoxCases = (): readonly ConformanceCase[] => [...classCases(), ...templateCases(), ...unmanagedCases()]
