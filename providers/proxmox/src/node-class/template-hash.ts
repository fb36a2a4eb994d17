import { type FieldHash, hashBoolean, hashInteger, hashSet, hashStruct, hashText, hashUint16 } from '@kerf/apis'
import type { ProxmoxTemplate, ProxmoxTemplateSpec } from './proxmox-template.ts'

type Interface = ProxmoxTemplateSpec['network'][number]
type Device = NonNullable<ProxmoxTemplateSpec['pciDevices']>[number]

const given = <T>(value: T | undefined, hash: (value: T) => bigint): FieldHash =>
  value === undefined ? undefined : hash(value)
/** A field with a plain value in Go is not part of the hash if it is zero. */
const plain = (value: string | undefined): FieldHash =>
  value === undefined || value === '' ? undefined : hashText(value)

const hashAddresses = ({ address4, address6, gateway4, gateway6, dnsServers }: Interface): FieldHash =>
  [address4, address6, gateway4, gateway6, dnsServers].every((each) => each === undefined)
    ? undefined
    : hashStruct('IPConfig', [
        ['Address4', plain(address4)],
        ['Address6', plain(address6)],
        ['Gateway4', plain(gateway4)],
        ['Gateway6', plain(gateway6)],
        ['DNSServers', hashSet(dnsServers, hashText)],
      ])

const hashInterface = (iface: Interface): bigint =>
  hashStruct('Network', [
    ['IPConfig', hashAddresses(iface)],
    ['Name', plain(iface.name)],
    ['Bridge', plain(iface.bridge)],
    ['Model', given(iface.model, hashText)],
    ['MTU', given(iface.mtu, hashUint16)],
    ['VLAN', given(iface.vlan, hashUint16)],
    ['Firewall', given(iface.firewall, hashBoolean)],
  ])

const hashDevice = ({ mapping, mdev, pcie, xvga }: Device): bigint =>
  hashStruct('PCIDevice', [
    ['Mapping', plain(mapping)],
    ['MDev', plain(mdev)],
    ['PCIe', given(pcie, hashBoolean)],
    ['XVga', given(xvga, hashBoolean)],
  ])

/**
 * Returns the hash of the fields whose edit makes Kerf recreate the templates (`providers/proxmox/docs/spec/proxmox.md#hashes`). The hash
 * is in the description of each template, and is the image ID of its nodes.
 */
export const templateHash = ({ spec }: Pick<ProxmoxTemplate, 'spec'>): string =>
  hashStruct('hashFields', [
    [
      'SourceImage',
      given(spec?.sourceImage, ({ url, imageName, checksum, checksumType }) =>
        hashStruct('SourceImage', [
          ['URL', plain(url)],
          ['ImageName', plain(imageName)],
          ['Checksum', plain(checksum)],
          ['ChecksumType', plain(checksumType)],
        ]),
      ),
    ],
    ['StorageIDs', hashSet(spec?.storageIDs, hashText)],
    ['Bios', plain(spec?.bios)],
    ['TPM', given(spec?.tpm, ({ version }) => hashStruct('TPM', [['Version', plain(version)]]))],
  ]).toString()

/** Returns the hash of the fields that Kerf changes in existing templates. */
export const templateInPlaceHash = ({ spec }: Pick<ProxmoxTemplate, 'spec'>): string =>
  hashStruct('ProxmoxTemplateSpec', [
    ['Region', plain(spec?.region)],
    ['Description', plain(spec?.description)],
    ['Machine', plain(spec?.machine)],
    [
      'QemuGuestAgent',
      given(spec?.agent, ({ enabled = false, type, fsFreezeOnBackup, fsTrimClonedDisks }) =>
        hashStruct('QemuGuestAgent', [
          ['Enabled', enabled ? hashBoolean(true) : undefined],
          ['Type', plain(type)],
          ['FsFreezeOnBackup', given(fsFreezeOnBackup, hashBoolean)],
          ['FsTrimClonedDisks', given(fsTrimClonedDisks, hashBoolean)],
        ]),
      ),
    ],
    [
      'CPU',
      given(spec?.cpu, ({ type, flags }) =>
        hashStruct('CPU', [
          ['Type', plain(type)],
          ['Flags', hashSet(flags, hashText)],
        ]),
      ),
    ],
    [
      'VGA',
      given(spec?.vga, ({ type, memory }) =>
        hashStruct('VGA', [
          ['Type', plain(type)],
          ['Memory', given(memory, hashInteger)],
        ]),
      ),
    ],
    ['Network', hashSet(spec?.network, hashInterface)],
    ['PCIDevices', hashSet(spec?.pciDevices, hashDevice)],
    ['Tags', hashSet(spec?.tags, hashText)],
    ['OnBoot', given(spec?.onBoot, hashBoolean)],
  ]).toString()
