import type { ResourceSku, Usage, Vm, VmExtension } from './compute-shapes.ts'
import type { Machine, MachineRequest } from './machine-shapes.ts'
import type { LoadBalancer, NetworkInterface, SecurityGroup, Subnet, VirtualNetwork } from './network-shapes.ts'

/**
 * All calls to Azure that the provider makes. Production and tests use the SDK. The tests connect it to a fake of the HTTP API. Lists are
 * complete: either the call read every page, or it failed. A failed call throws an `AzureApiError`. Names refer to resources in the node
 * resource group, unless an ID is required.
 */
export interface AzureApi {
  readonly compute: ComputeApi
  readonly network: NetworkApi
  readonly images: ImageApi
  readonly resourceGraph: ResourceGraphApi
  readonly authorization: AuthorizationApi
  readonly machines: MachineApi
}

/** A change that Azure has accepted and is executing. Discarding this object does not stop the change. */
export interface PendingChange<T> {
  /**
   * Waits until the change is done. Polls every three seconds.
   *
   * @throws AzureApiError once it has failed.
   */
  done(signal: AbortSignal): Promise<T>
}

export interface ComputeApi {
  /** Lists the VM sizes of the location, with the subscription's restrictions. */
  resourceSkus(signal: AbortSignal): Promise<readonly ResourceSku[]>
  /** Lists the used cores and the quota of each family in the location. */
  usages(signal: AbortSignal): Promise<readonly Usage[]>
  vm(name: string, signal: AbortSignal): Promise<Vm>
  beginCreateVm(name: string, vm: Vm, signal: AbortSignal): Promise<PendingChange<Vm>>
  /** Updates only tags and identities. */
  updateVm(name: string, change: Pick<Vm, 'identity' | 'tags'>, signal: AbortSignal): Promise<void>
  /** Deletes the VM immediately, without shutting down the guest. */
  beginDeleteVm(name: string, signal: AbortSignal): Promise<PendingChange<void>>
  createExtension(vm: string, name: string, extension: VmExtension, signal: AbortSignal): Promise<void>
  updateExtensionTags(
    vm: string,
    name: string,
    tags: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void>
  /** Resolves once Azure has accepted the deletion, or if the disk does not exist. */
  deleteDisk(name: string, signal: AbortSignal): Promise<void>
  /** Resolves if the disk encryption set with that resource ID can be read. */
  probeDiskEncryptionSet(id: string, signal: AbortSignal): Promise<void>
}

export interface NetworkApi {
  networkInterface(name: string, signal: AbortSignal): Promise<NetworkInterface>
  /** Resolves once the interface exists. */
  createNetworkInterface(name: string, nic: NetworkInterface, signal: AbortSignal): Promise<NetworkInterface>
  updateNetworkInterfaceTags(name: string, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>
  /** Resolves once Azure has accepted the deletion, or if the interface does not exist. */
  deleteNetworkInterface(name: string, signal: AbortSignal): Promise<void>
  /** Reads a subnet by resource ID. */
  subnet(id: string, signal: AbortSignal): Promise<Subnet>
  /** Reads a virtual network by resource group and name. */
  virtualNetwork(resourceGroup: string, name: string, signal: AbortSignal): Promise<VirtualNetwork>
  loadBalancers(signal: AbortSignal): Promise<readonly LoadBalancer[]>
  securityGroups(signal: AbortSignal): Promise<readonly SecurityGroup[]>
}

/** A version of an image in a community gallery. */
export interface CommunityImageVersion {
  readonly name: string
  /** In RFC 3339. */
  readonly publishedDate: string
}

/** A version of a node image that AKS offers. */
export interface NodeImageVersion {
  /** `AKSUbuntu`, `AKSAzureLinux`, or another operating system. */
  readonly os: string
  /** The image definition, such as `2204gen2containerd`. */
  readonly sku: string
  readonly version: string
}

export interface ImageApi {
  communityImageVersions(
    gallery: string,
    definition: string,
    signal: AbortSignal,
  ): Promise<readonly CommunityImageVersion[]>
  nodeImageVersions(signal: AbortSignal): Promise<readonly NodeImageVersion[]>
}

export interface ResourceGraphApi {
  /** Returns the rows of a query, each as the object that Azure returns. */
  query(text: string, signal: AbortSignal): Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** The permissions of a role definition. */
export interface RolePermission {
  readonly actions?: readonly string[]
  readonly notActions?: readonly string[]
}

export interface AuthorizationApi {
  /**
   * Returns the caller's permissions on the resource group or resource with that ID. They come from all roles that are assigned at this
   * scope or a parent scope.
   */
  permissions(id: string, signal: AbortSignal): Promise<readonly RolePermission[]>
}

/** Machines of an AKS pool. The pool is identified by its resource ID. */
export interface MachineApi {
  machine(pool: string, name: string, signal: AbortSignal): Promise<Machine>
  machines(pool: string, signal: AbortSignal): Promise<readonly Machine[]>
  /** Resolves once AKS has accepted the machine. With an ETag, AKS refuses the request if the machine has changed since. */
  putMachine(
    pool: string,
    name: string,
    machine: MachineRequest,
    eTag: string | undefined,
    signal: AbortSignal,
  ): Promise<void>
  /** Resolves once AKS has accepted the deletion. */
  deleteMachine(pool: string, name: string, signal: AbortSignal): Promise<void>
}
