import type { OsDisk, Vm, VmProperties } from '../api/compute-shapes.ts'
import { classTraits } from '../instance-type/class-traits.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import { ephemeralOsDiskFor, type VmSize } from '../sizes/vm-size.ts'
import type { Tags } from '../tags/resource-tags.ts'

export interface VmPlan {
  /** The name of the VM, its interface and its disk. */
  readonly name: string
  readonly nodeClass: AKSNodeClass
  readonly settings: AzureSettings
  readonly size: VmSize
  /** `1`, `2` or `3`. Undefined for a VM without a zone. */
  readonly zone: string | undefined
  readonly isSpot: boolean
  readonly hasUltraSsd: boolean
  readonly imageId: string
  /** A resource ID. */
  readonly nicId: string
  /** In base64. */
  readonly customData: string
  readonly tags: Tags
}

const osDiskOf = ({ name, nodeClass, settings, size }: VmPlan): OsDisk => {
  const { osDiskSizeGB } = classTraits(nodeClass, settings)
  const ephemeral = ephemeralOsDiskFor(size, osDiskSizeGB)
  const encryptionSet = settings.nodeOSDiskEncryptionSetID
  return {
    ...{ name, createOption: 'FromImage', diskSizeGB: osDiskSizeGB, deleteOption: 'Delete' },
    ...(ephemeral === undefined
      ? {}
      : { diffDiskSettings: { option: 'Local', placement: ephemeral.placement }, caching: 'ReadOnly' }),
    ...(encryptionSet === '' ? {} : { managedDisk: { diskEncryptionSet: { id: encryptionSet } } }),
  }
}

const securityOf = ({ nodeClass: { spec } }: VmPlan): VmProperties['securityProfile'] => {
  const { encryptionAtHost, trustedLaunch } = spec?.security ?? {}
  const { vtpm = false, secureBoot = false } = trustedLaunch ?? {}
  const isTrusted = vtpm || secureBoot
  if (encryptionAtHost === undefined && !isTrusted) return undefined
  return {
    ...(encryptionAtHost === undefined ? {} : { encryptionAtHost }),
    ...(isTrusted
      ? { securityType: 'TrustedLaunch', uefiSettings: { vTpmEnabled: vtpm, secureBootEnabled: secureBoot } }
      : {}),
  }
}

/** Returns the image reference. Images of shared galleries and community galleries use different fields. */
const imageReferenceOf = (id: string) =>
  /^\/CommunityGalleries\//i.test(id) ? { communityGalleryImageId: id } : { id }

/** Returns the request body for a VM that becomes a node (`providers/azure/docs/spec/azure.md#create-a-vm`). */
export const vmBody = (plan: VmPlan): Vm => {
  const { name, settings, size, zone, isSpot } = plan
  const user = settings.linuxAdminUsername
  const security = securityOf(plan)
  return {
    location: settings.azureLocation,
    tags: plan.tags,
    ...(zone === undefined ? {} : { zones: [zone] }),
    ...(settings.nodeIdentities.length === 0
      ? {}
      : {
          identity: {
            type: 'UserAssigned',
            userAssignedIdentities: Object.fromEntries(settings.nodeIdentities.map((id) => [id, {}])),
          },
        }),
    properties: {
      hardwareProfile: { vmSize: size.name },
      storageProfile: { imageReference: imageReferenceOf(plan.imageId), osDisk: osDiskOf(plan) },
      networkProfile: {
        networkInterfaces: [{ id: plan.nicId, properties: { primary: true, deleteOption: 'Delete' } }],
      },
      osProfile: {
        computerName: name,
        adminUsername: user,
        customData: plan.customData,
        linuxConfiguration: {
          disablePasswordAuthentication: true,
          ssh: { publicKeys: [{ keyData: settings.sshPublicKey, path: `/home/${user}/.ssh/authorized_keys` }] },
        },
      },
      priority: isSpot ? 'Spot' : 'Regular',
      // With -1, Kerf accepts any spot price up to the on-demand price.
      ...(isSpot ? { evictionPolicy: 'Delete', billingProfile: { maxPrice: -1 } } : {}),
      ...(security === undefined ? {} : { securityProfile: security }),
      ...(plan.hasUltraSsd ? { additionalCapabilities: { ultraSSDEnabled: true } } : {}),
    },
  }
}
