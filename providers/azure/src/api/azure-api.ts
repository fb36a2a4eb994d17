import type { ResourceSku, Usage, Vm, VmExtension } from './compute-shapes.ts'
import type { Machine, MachineRequest } from './machine-shapes.ts'
import type { LoadBalancer, NetworkInterface, SecurityGroup, Subnet, VirtualNetwork } from './network-shapes.ts'

/**
 * All calls to Azure that the provider makes. Production makes them through the SDK, tests against a fake of the same HTTP API,
 * with the same SDK. Lists are complete: every page was read, or the call failed. A call that fails throws an `AzureApiError`.
 * Names are of resources in the node resource group unless an ID is asked for.
 */
export interface AzureApi {
  readonly compute: ComputeApi
  readonly network: NetworkApi
  readonly images: ImageApi
  readonly resourceGraph: ResourceGraphApi
  readonly authorization: AuthorizationApi
  readonly machines: MachineApi
}

/** A change that Azure has accepted and works on. Dropping it does not stop the change. */
export interface PendingChange<T> {
  /**
   * Waits, asking every three seconds, until the change is done.
   *
   * @throws AzureApiError once it has failed.
   */
  done(signal: AbortSignal): Promise<T>
}

export interface ComputeApi {
  /** The VM sizes of the location, with what the subscription may not use of them. */
  resourceSkus(signal: AbortSignal): Promise<readonly ResourceSku[]>
  /** How many cores of each family are used in the location, and how many may be. */
  usages(signal: AbortSignal): Promise<readonly Usage[]>
  vm(name: string, signal: AbortSignal): Promise<Vm>
  beginCreateVm(name: string, vm: Vm, signal: AbortSignal): Promise<PendingChange<Vm>>
  /** Tags and identities only. */
  updateVm(name: string, change: Pick<Vm, 'identity' | 'tags'>, signal: AbortSignal): Promise<void>
  /** At once, without shutting the guest down. */
  beginDeleteVm(name: string, signal: AbortSignal): Promise<PendingChange<void>>
  createExtension(vm: string, name: string, extension: VmExtension, signal: AbortSignal): Promise<void>
  updateExtensionTags(
    vm: string,
    name: string,
    tags: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void>
  /** Resolves once Azure has accepted it, and for one that is not there. */
  deleteDisk(name: string, signal: AbortSignal): Promise<void>
  /** Resolves when the disk encryption set with that resource ID may be read. */
  probeDiskEncryptionSet(id: string, signal: AbortSignal): Promise<void>
}

export interface NetworkApi {
  networkInterface(name: string, signal: AbortSignal): Promise<NetworkInterface>
  /** Waits until it is there. */
  createNetworkInterface(name: string, nic: NetworkInterface, signal: AbortSignal): Promise<NetworkInterface>
  updateNetworkInterfaceTags(name: string, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>
  /** Resolves once Azure has accepted it, and for one that is not there. */
  deleteNetworkInterface(name: string, signal: AbortSignal): Promise<void>
  /** By resource ID. */
  subnet(id: string, signal: AbortSignal): Promise<Subnet>
  /** By resource group and name. */
  virtualNetwork(resourceGroup: string, name: string, signal: AbortSignal): Promise<VirtualNetwork>
  loadBalancers(signal: AbortSignal): Promise<readonly LoadBalancer[]>
  securityGroups(signal: AbortSignal): Promise<readonly SecurityGroup[]>
}

/** A version of an image in a community gallery. */
export interface CommunityImageVersion {
  readonly name: string
  /** RFC 3339. */
  readonly publishedDate: string
}

/** A version of a node image that AKS offers. */
export interface NodeImageVersion {
  /** `AKSUbuntu`, `AKSAzureLinux`, or of another system. */
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
  /** The rows of a query, each as the object that Azure answers. */
  query(text: string, signal: AbortSignal): Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** What roles allow, as role definitions say it. */
export interface RolePermission {
  readonly actions?: readonly string[]
  readonly notActions?: readonly string[]
}

export interface AuthorizationApi {
  /** What the caller may do with the resource group or resource of that ID, by all its roles there and above. */
  permissions(id: string, signal: AbortSignal): Promise<readonly RolePermission[]>
}

/** Machines of an AKS pool, which is named by its resource ID. */
export interface MachineApi {
  machine(pool: string, name: string, signal: AbortSignal): Promise<Machine>
  machines(pool: string, signal: AbortSignal): Promise<readonly Machine[]>
  /**
   * Resolves once AKS has accepted it. With an entity tag, AKS refuses it where somebody has changed the machine since.
   */
  putMachine(
    pool: string,
    name: string,
    machine: MachineRequest,
    eTag: string | undefined,
    signal: AbortSignal,
  ): Promise<void>
  /** Resolves once AKS has accepted it. */
  deleteMachine(pool: string, name: string, signal: AbortSignal): Promise<void>
}
