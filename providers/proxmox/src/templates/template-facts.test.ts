import { expect, test } from 'vitest'
import type { GuestConfig } from '../api/proxmox-api.ts'
import { templateFacts } from './template-facts.ts'

const config: GuestConfig = {
  ...{ boot: 'order=scsi0;net0', scsi0: 'local-lvm:base-9000-disk-0,iothread=1,size=3584M' },
  ...{ ide2: 'local-lvm:vm-9000-cloudinit,media=cdrom', net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1' },
  ...{ net1: 'virtio=BC:24:11:00:00:02,bridge=vmbr1', cpu: 'x86-64-v2-AES,flags=+aes', template: 1 },
  ipconfig0: 'ip=dhcp,ip6=auto',
  meta: 'creation-qemu=9.0.2,ctime=1730000000',
}
const facts = (change: GuestConfig = {}) =>
  templateFacts('home', { node: 'pve-1', vmid: 9000 }, { ...config, ...change })

test('a template has a boot disk, networks and an image', () => {
  expect(facts()).toEqual({
    ...{ region: 'home', node: 'pve-1', vmid: 9000, cpuType: 'x86-64-v2-AES', cloudInitDrive: 'ide2' },
    bootDisk: { option: 'scsi0', storage: 'local-lvm', size: 3584 * 1024 ** 2 },
    networks: new Map([
      ['net0', config['net0']],
      ['net1', config['net1']],
    ]),
    bridges: ['vmbr0', 'vmbr1'],
    addressPools: [],
    imageId: expect.stringMatching(/^9000-\d+$/),
  })
})

test('the image of a template that Karpenter made is the hash in its description', () => {
  expect(facts({ description: 'Karpenter template\nHash: 12345' })).toMatchObject({ imageId: '12345' })
  const again = facts({ meta: 'creation-qemu=9.0.2,ctime=1730000001' })
  expect(again).not.toEqual(facts())
})

test.each([
  ['without a disk', { boot: '', scsi0: undefined }, 'it has no boot disk'],
  ['on two storages', { scsi1: 'ceph:vm-9000-disk-1,size=1G' }, 'its disks are on several storages (ceph, local-lvm)'],
  [
    'with an address',
    { ipconfig0: 'ip=10.0.0.5/24,gw=10.0.0.1' },
    'every guest would have its address 10.0.0.5/24; use dhcp, auto, or a network such as 10.0.0.0/24',
  ],
  [
    'with a user but without a cloud-init drive',
    { ciuser: 'ubuntu', ide2: undefined },
    'it has ciuser and no cloud-init drive; add one with "qm set ID --ide2 STORAGE:cloudinit"',
  ],
  ['of another architecture', { arch: 'aarch64' }, 'its architecture is aarch64, and instance types have amd64'],
  [
    'with a PCI Express device and the wrong machine',
    { hostpci0: 'mapping=gpu,pcie=1', machine: 'pc' },
    'hostpci0 has pcie=1, which needs the machine q35; run "qm set ID --machine q35"',
  ],
])('a template %s cannot be used', (_what, change, problem) => {
  expect(facts(change)).toBe(problem)
})
