import {
  type FieldHash,
  hashBoolean,
  hashField,
  hashGiven,
  hashInteger,
  hashSet,
  hashStruct,
  hashText,
  hashUint16,
} from '@kerf/apis'
import type { ProxmoxTemplate, ProxmoxTemplateSpec } from './proxmox-template.ts'

type Interface = ProxmoxTemplateSpec['network'][number]
type Device = NonNullable<ProxmoxTemplateSpec['pciDevices']>[number]

const { plainText } = hashField

const hashAddresses = ({ address4, address6, gateway4, gateway6, dnsServers }: Interface): FieldHash =>
  [address4, address6, gateway4, gateway6, dnsServers].every((each) => each === undefined)
    ? undefined
    : hashStruct('IPConfig', [
        ['Address4', plainText(address4)],
        ['Address6', plainText(address6)],
        ['Gateway4', plainText(gateway4)],
        ['Gateway6', plainText(gateway6)],
        ['DNSServers', hashSet(dnsServers, hashText)],
      ])

const hashInterface = (iface: Interface): bigint =>
  hashStruct('Network', [
    ['IPConfig', hashAddresses(iface)],
    ['Name', plainText(iface.name)],
    ['Bridge', plainText(iface.bridge)],
    ['Model', hashGiven(iface.model, hashText)],
    ['MTU', hashGiven(iface.mtu, hashUint16)],
    ['VLAN', hashGiven(iface.vlan, hashUint16)],
    ['Firewall', hashGiven(iface.firewall, hashBoolean)],
  ])

const hashDevice = ({ mapping, mdev, pcie, xvga }: Device): bigint =>
  hashStruct('PCIDevice', [
    ['Mapping', plainText(mapping)],
    ['MDev', plainText(mdev)],
    ['PCIe', hashGiven(pcie, hashBoolean)],
    ['XVga', hashGiven(xvga, hashBoolean)],
  ])

/**
 * Returns the hash of the fields whose changes make Kerf recreate the templates (`providers/proxmox/docs/spec/proxmox.md#hashes`). The hash
 * is in the description of each template, and is the image ID of its nodes.
 */
export const templateHash = ({ spec }: Pick<ProxmoxTemplate, 'spec'>): string =>
  hashStruct('hashFields', [
    [
      'SourceImage',
      hashGiven(spec?.sourceImage, ({ url, imageName, checksum, checksumType }) =>
        hashStruct('SourceImage', [
          ['URL', plainText(url)],
          ['ImageName', plainText(imageName)],
          ['Checksum', plainText(checksum)],
          ['ChecksumType', plainText(checksumType)],
        ]),
      ),
    ],
    ['StorageIDs', hashSet(spec?.storageIDs, hashText)],
    ['Bios', plainText(spec?.bios)],
    ['TPM', hashGiven(spec?.tpm, ({ version }) => hashStruct('TPM', [['Version', plainText(version)]]))],
  ]).toString()

/** Returns the hash of the fields that Kerf updates in existing templates. */
export const templateInPlaceHash = ({ spec }: Pick<ProxmoxTemplate, 'spec'>): string =>
  hashStruct('ProxmoxTemplateSpec', [
    ['Region', plainText(spec?.region)],
    ['Description', plainText(spec?.description)],
    ['Machine', plainText(spec?.machine)],
    [
      'QemuGuestAgent',
      hashGiven(spec?.agent, ({ enabled = false, type, fsFreezeOnBackup, fsTrimClonedDisks }) =>
        hashStruct('QemuGuestAgent', [
          ['Enabled', enabled ? hashBoolean(true) : undefined],
          ['Type', plainText(type)],
          ['FsFreezeOnBackup', hashGiven(fsFreezeOnBackup, hashBoolean)],
          ['FsTrimClonedDisks', hashGiven(fsTrimClonedDisks, hashBoolean)],
        ]),
      ),
    ],
    [
      'CPU',
      hashGiven(spec?.cpu, ({ type, flags }) =>
        hashStruct('CPU', [
          ['Type', plainText(type)],
          ['Flags', hashSet(flags, hashText)],
        ]),
      ),
    ],
    [
      'VGA',
      hashGiven(spec?.vga, ({ type, memory }) =>
        hashStruct('VGA', [
          ['Type', plainText(type)],
          ['Memory', hashGiven(memory, hashInteger)],
        ]),
      ),
    ],
    ['Network', hashSet(spec?.network, hashInterface)],
    ['PCIDevices', hashSet(spec?.pciDevices, hashDevice)],
    ['Tags', hashSet(spec?.tags, hashText)],
    ['OnBoot', hashGiven(spec?.onBoot, hashBoolean)],
  ]).toString()
