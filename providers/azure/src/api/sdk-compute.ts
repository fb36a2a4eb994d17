import type {
  VirtualMachineExtension as SdkExtension,
  VirtualMachineIdentity as SdkIdentity,
  ResourceSku as SdkSku,
  VirtualMachine as SdkVm,
} from '@azure/arm-compute'
import { lazily } from '@kerf/provider-kit'
import type { CommunityImageVersion, ComputeApi, ImageApi } from './azure-api.ts'
import type { ResourceSku, Vm, VmExtension } from './compute-shapes.ts'
import { beginChange, change } from './pending-change.ts'
import { clientOptions, noCredential, type SdkOptions, withoutTokens } from './sdk-clients.ts'
import { asked, whole } from './sdk-error.ts'

type Client = InstanceType<typeof import('./clients/compute.ts').ComputeManagementClient>

const sdkIdentityOf = ({ type, userAssignedIdentities }: NonNullable<Vm['identity']>): SdkIdentity => ({
  ...(type === undefined ? {} : { type }),
  ...(userAssignedIdentities === undefined ? {} : { userAssignedIdentities: { ...userAssignedIdentities } }),
})

/** Converts a VM into the form of the SDK, which has the fields of `properties` on the top level, and mutable lists. */
const sdkVmOf = ({ location, zones, tags, identity, properties }: Vm): SdkVm => {
  const { networkProfile, timeCreated: _made, osProfile, ...rest } = properties ?? {}
  const { linuxConfiguration, ...os } = osProfile ?? {}
  const { ssh, ...linux } = linuxConfiguration ?? {}
  return {
    location,
    ...rest,
    ...(zones === undefined ? {} : { zones: [...zones] }),
    ...(tags === undefined ? {} : { tags: { ...tags } }),
    ...(identity === undefined ? {} : { identity: sdkIdentityOf(identity) }),
    ...(osProfile === undefined
      ? {}
      : {
          osProfile: {
            ...os,
            linuxConfiguration: { ...linux, ssh: { publicKeys: (ssh?.publicKeys ?? []).map((key) => ({ ...key })) } },
          },
        }),
    ...(networkProfile === undefined
      ? {}
      : {
          networkProfile: {
            networkInterfaces: (networkProfile.networkInterfaces ?? []).map(({ id, properties: own }) => ({
              ...(id === undefined ? {} : { id }),
              ...own,
            })),
          },
        }),
  }
}

const ignored = (): void => undefined

/** Removes undefined fields, which the SDK adds for missing values. */
const present = <T>(value: T): T => JSON.parse(JSON.stringify(value))

const vmOf = (vm: SdkVm): Vm => {
  const { id, name, location, zones, tags, identity, timeCreated, networkProfile, ...rest } = vm
  return present({
    id,
    name,
    location,
    zones,
    tags,
    identity,
    properties: {
      ...rest,
      timeCreated: timeCreated?.toISOString(),
      networkProfile:
        networkProfile === undefined
          ? undefined
          : {
              networkInterfaces: networkProfile.networkInterfaces?.map(({ id: nic, ...properties }) => ({
                id: nic,
                properties,
              })),
            },
    },
  }) as Vm
}

const sdkExtensionOf = ({ location, tags, properties }: VmExtension): SdkExtension => {
  const { type, ...rest } = properties
  return { location, ...(tags === undefined ? {} : { tags: { ...tags } }), typePropertiesType: type, ...rest }
}

const skuOf = (sku: SdkSku): ResourceSku => present(sku) as ResourceSku

/** Returns the resource group and name of a disk encryption set, which may be in any resource group of the subscription. */
const groupAndName = (id: string): readonly [group: string, name: string] => {
  const parts = id.split('/')
  return [parts[4] ?? '', parts[8] ?? '']
}

/** Returns the API for VMs, sizes, quotas and disks, through the SDK. */
export const sdkCompute = (
  options: SdkOptions,
): { readonly compute: ComputeApi; readonly images: Pick<ImageApi, 'communityImageVersions'> } => {
  const { clock, subscription, location, nodeResourceGroup: group, http, vmHttp = http } = options
  const sdk = lazily(() => import('./clients/compute.ts'))
  const clientOf = (over: SdkOptions['http']) =>
    lazily(async (): Promise<Client> => {
      const { ComputeManagementClient } = await sdk()
      return withoutTokens(new ComputeManagementClient(noCredential, subscription, clientOptions(options, over)))
    })
  const client = clientOf(http)
  // Images of another tenant need a second token. Only requests that write VMs may carry it.
  const vmClient = vmHttp === http ? client : clientOf(vmHttp)

  const compute: ComputeApi = {
    resourceSkus: (abortSignal) =>
      whole(
        async () => (await client()).resourceSkus.list({ filter: `location eq '${location}'`, abortSignal }),
        skuOf,
        abortSignal,
      ),
    usages: (abortSignal) =>
      whole(
        async () => (await client()).usage.list(location, { abortSignal }),
        ({ name, currentValue, limit }) => ({
          name: name.value === undefined ? {} : { value: name.value },
          currentValue,
          limit,
        }),
        abortSignal,
      ),
    vm: (name, abortSignal) =>
      asked(async () => vmOf(await (await client()).virtualMachines.get(group, name, { abortSignal })), abortSignal),
    // If another process created the VM after the check, this request does not create a second VM.
    beginCreateVm: (name, vm, signal) =>
      beginChange(
        vmClient,
        ({ virtualMachines }, abortSignal) => virtualMachines.createOrUpdate(group, name, sdkVmOf(vm), { abortSignal }),
        (made) => (made === undefined ? vm : vmOf(made)),
        { clock, signal },
      ),
    updateVm: (name, { identity, tags }, signal) =>
      change(
        vmClient,
        ({ virtualMachines }, abortSignal) =>
          virtualMachines.update(
            group,
            name,
            {
              ...(tags === undefined ? {} : { tags: { ...tags } }),
              ...(identity === undefined ? {} : { identity: sdkIdentityOf(identity) }),
            },
            { abortSignal },
          ),
        ignored,
        { clock, signal },
      ),
    beginDeleteVm: (name, signal) =>
      beginChange(
        client,
        ({ virtualMachines }, abortSignal) => virtualMachines.delete(group, name, { forceDeletion: true, abortSignal }),
        ignored,
        { clock, signal },
      ),
    createExtension: (vm, name, extension, signal) =>
      change(
        client,
        ({ virtualMachineExtensions }, abortSignal) =>
          virtualMachineExtensions.createOrUpdate(group, vm, name, sdkExtensionOf(extension), { abortSignal }),
        ignored,
        { clock, signal },
      ),
    updateExtensionTags: (vm, name, tags, signal) =>
      change(
        client,
        ({ virtualMachineExtensions }, abortSignal) =>
          virtualMachineExtensions.update(group, vm, name, { tags: { ...tags } }, { abortSignal }),
        ignored,
        { clock, signal },
      ),
    deleteDisk: async (name, signal) => {
      await beginChange(client, ({ disks }, abortSignal) => disks.delete(group, name, { abortSignal }), ignored, {
        clock,
        signal,
      })
    },
    probeDiskEncryptionSet: (id, abortSignal) =>
      asked(async () => {
        const [resourceGroup, name] = groupAndName(id)
        await (await client()).diskEncryptionSets.get(resourceGroup, name, { abortSignal })
      }, abortSignal),
  }
  return {
    compute,
    images: {
      communityImageVersions: (gallery, definition, abortSignal) =>
        whole(
          async () =>
            (await client()).communityGalleryImageVersions.list(location, gallery, definition, { abortSignal }),
          ({ name, publishedDate }): CommunityImageVersion => ({
            name: name ?? '',
            publishedDate: publishedDate?.toISOString() ?? '',
          }),
          abortSignal,
        ),
    },
  }
}
