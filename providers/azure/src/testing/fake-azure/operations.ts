import {
  type BodySchema,
  extensionBody,
  machineBody,
  machineNamesBody,
  nicBody,
  queryBody,
  tagsBody,
  vmBody,
  vmUpdateBody,
} from './body-schemas.ts'

/** An operation of Azure Resource Manager that the provider uses. */
export interface Operation {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  /** In the pattern, a part in braces matches one path segment. If the part ends with a plus, it matches one or more segments. */
  readonly path: string
  readonly apiVersion: string
  /** Query parameters in addition to the version. */
  readonly query?: readonly string[]
  readonly body?: BodySchema
  /** The file in Azure/azure-rest-api-specs that describes the operation, below `specification/`. */
  readonly specification: string
  /** The documentation of this operation's response format. */
  readonly answers: string
}

const group = '/subscriptions/{subscription}/resourceGroups/{group}/providers'
const compute = `${group}/Microsoft.Compute`
const network = `${group}/Microsoft.Network`

const COMPUTE = 'compute/resource-manager/Microsoft.Compute/Compute'
const VM = `${COMPUTE}/Compute/VirtualMachine.tsp`
const EXTENSION = `${COMPUTE}/Compute/VirtualMachineExtension.tsp`
const NETWORK = 'network/resource-manager/Microsoft.Network'
const NIC = `${NETWORK}/Network/NetworkInterface.tsp`
const GRAPH = 'resourcegraph/resource-manager/Microsoft.ResourceGraph/stable/2024-04-01/resourcegraph.json'
const AKS = 'containerservice/resource-manager/Microsoft.ContainerService/aks/LocationRoutes.tsp'
const AUTHORIZATION =
  'authorization/resource-manager/Microsoft.Authorization/stable/2022-04-01/authorization-RoleDefinitionsCalls.json'
const PERMISSIONS = '/providers/Microsoft.Authorization/permissions'

const POOL = `${group}/Microsoft.ContainerService/managedClusters/{cluster}/agentPools/{pool}`
const MACHINE = 'containerservice/resource-manager/Microsoft.ContainerService/aks/Machine.tsp'
/** The first version in which a machine's zones and subnet can be written. */
const MACHINES_VERSION = '2026-03-02-preview'

const LONG_RUNNING =
  'learn.microsoft.com, "Track asynchronous Azure operations": Azure-AsyncOperation, its states, and the error in its body'
const RESOURCE = 'the response of the specification, read-only fields as its example has them'

/** All operations, by their name in the specification. */
export const operations = {
  VirtualMachines_Get: {
    ...{ method: 'GET', path: `${compute}/virtualMachines/{name}`, apiVersion: '2026-04-01', query: ['$expand'] },
    ...{ specification: VM, answers: RESOURCE },
  },
  VirtualMachines_CreateOrUpdate: {
    ...{ method: 'PUT', path: `${compute}/virtualMachines/{name}`, apiVersion: '2026-04-01', body: vmBody },
    ...{ specification: VM, answers: LONG_RUNNING },
  },
  VirtualMachines_Update: {
    ...{ method: 'PATCH', path: `${compute}/virtualMachines/{name}`, apiVersion: '2026-04-01', body: vmUpdateBody },
    ...{ specification: VM, answers: LONG_RUNNING },
  },
  VirtualMachines_Delete: {
    ...{ method: 'DELETE', path: `${compute}/virtualMachines/{name}`, apiVersion: '2026-04-01' },
    ...{ query: ['forceDeletion'], specification: VM, answers: LONG_RUNNING },
  },
  VirtualMachineExtensions_CreateOrUpdate: {
    ...{ method: 'PUT', path: `${compute}/virtualMachines/{vm}/extensions/{name}`, apiVersion: '2026-04-01' },
    ...{ body: extensionBody, specification: EXTENSION, answers: LONG_RUNNING },
  },
  VirtualMachineExtensions_Update: {
    ...{ method: 'PATCH', path: `${compute}/virtualMachines/{vm}/extensions/{name}`, apiVersion: '2026-04-01' },
    ...{ body: tagsBody, specification: EXTENSION, answers: LONG_RUNNING },
  },
  ResourceSkus_List: {
    ...{ method: 'GET', path: '/subscriptions/{subscription}/providers/Microsoft.Compute/skus' },
    ...{
      apiVersion: '2021-07-01',
      query: ['$filter'],
      specification: 'compute/resource-manager/Microsoft.Compute/Skus/stable/2021-07-01/skus.json',
    },
    answers: 'samples that karpenter-provider-azure 352646f keeps of it',
  },
  Usage_List: {
    ...{ method: 'GET', path: '/subscriptions/{subscription}/providers/Microsoft.Compute/locations/{location}/usages' },
    ...{ apiVersion: '2026-04-01', specification: `${COMPUTE}/Compute/routes.tsp`, answers: RESOURCE },
  },
  CommunityGalleryImageVersions_List: {
    method: 'GET',
    path: '/subscriptions/{subscription}/providers/Microsoft.Compute/locations/{location}/communityGalleries/{gallery}/images/{image}/versions',
    ...{
      apiVersion: '2025-12-03',
      specification: `${COMPUTE}/ComputeGallery/CommunityGalleryImageVersion.tsp`,
      answers: RESOURCE,
    },
  },
  DiskEncryptionSets_Get: {
    ...{ method: 'GET', path: `${compute}/diskEncryptionSets/{name}`, apiVersion: '2026-03-02' },
    ...{ specification: `${COMPUTE}/ComputeDisk/DiskEncryptionSet.tsp`, answers: RESOURCE },
  },
  Disks_Delete: {
    ...{ method: 'DELETE', path: `${compute}/disks/{name}`, apiVersion: '2026-03-02' },
    ...{ specification: `${COMPUTE}/ComputeDisk/Disk.tsp`, answers: LONG_RUNNING },
  },
  NetworkInterfaces_Get: {
    ...{ method: 'GET', path: `${network}/networkInterfaces/{name}`, apiVersion: '2026-01-01', query: ['$expand'] },
    ...{ specification: NIC, answers: RESOURCE },
  },
  NetworkInterfaces_CreateOrUpdate: {
    ...{ method: 'PUT', path: `${network}/networkInterfaces/{name}`, apiVersion: '2026-01-01', body: nicBody },
    ...{ specification: NIC, answers: LONG_RUNNING },
  },
  NetworkInterfaces_UpdateTags: {
    ...{ method: 'PATCH', path: `${network}/networkInterfaces/{name}`, apiVersion: '2026-01-01', body: tagsBody },
    ...{ specification: NIC, answers: RESOURCE },
  },
  NetworkInterfaces_Delete: {
    ...{ method: 'DELETE', path: `${network}/networkInterfaces/{name}`, apiVersion: '2026-01-01' },
    ...{ specification: NIC, answers: LONG_RUNNING },
  },
  Subnets_Get: {
    ...{ method: 'GET', path: `${network}/virtualNetworks/{network}/subnets/{name}`, apiVersion: '2026-01-01' },
    ...{ query: ['$expand'], specification: `${NETWORK}/Network/Subnet.tsp`, answers: RESOURCE },
  },
  VirtualNetworks_Get: {
    ...{ method: 'GET', path: `${network}/virtualNetworks/{name}`, apiVersion: '2026-01-01', query: ['$expand'] },
    ...{ specification: `${NETWORK}/Network/VirtualNetwork.tsp`, answers: RESOURCE },
  },
  LoadBalancers_List: {
    ...{ method: 'GET', path: `${network}/loadBalancers`, apiVersion: '2026-01-01' },
    ...{ specification: `${NETWORK}/stable/2024-05-01/loadBalancer.json`, answers: RESOURCE },
  },
  NetworkSecurityGroups_List: {
    ...{ method: 'GET', path: `${network}/networkSecurityGroups`, apiVersion: '2026-01-01' },
    ...{ specification: `${NETWORK}/stable/2024-05-01/networkSecurityGroup.json`, answers: RESOURCE },
  },
  Resources: {
    ...{ method: 'POST', path: '/providers/Microsoft.ResourceGraph/resources', apiVersion: '2024-04-01' },
    ...{ body: queryBody, specification: GRAPH },
    answers:
      'learn.microsoft.com, "Work with large Azure resource data sets": objectArray, $skipToken; rows as its table "resources" has them',
  },
  Permissions_ListForResourceGroup: {
    method: 'GET',
    path: '/subscriptions/{subscription}/resourceGroups/{group}/providers/Microsoft.Authorization/permissions',
    ...{ apiVersion: '2022-04-01', specification: AUTHORIZATION, answers: RESOURCE },
  },
  Permissions_ListForResource: {
    ...{ method: 'GET', path: `${group}/{resource+}${PERMISSIONS}` },
    ...{ apiVersion: '2022-04-01', specification: AUTHORIZATION, answers: RESOURCE },
  },
  ContainerService_ListNodeImageVersions: {
    ...{
      method: 'GET',
      path: '/subscriptions/{subscription}/providers/Microsoft.ContainerService/locations/{location}/nodeImageVersions',
    },
    ...{ apiVersion: '2025-10-02-preview', specification: AKS, answers: RESOURCE },
  },
  Machines_Get: {
    ...{ method: 'GET', path: `${POOL}/machines/{name}`, apiVersion: MACHINES_VERSION },
    ...{ specification: MACHINE, answers: RESOURCE },
  },
  Machines_List: {
    ...{ method: 'GET', path: `${POOL}/machines`, apiVersion: MACHINES_VERSION },
    ...{ specification: MACHINE, answers: RESOURCE },
  },
  Machines_CreateOrUpdate: {
    ...{ method: 'PUT', path: `${POOL}/machines/{name}`, apiVersion: MACHINES_VERSION, body: machineBody },
    specification: MACHINE,
    answers: `the example MachineCreate_Update of 2025-10-02-preview: 201, provisioningState Creating; ${LONG_RUNNING}`,
  },
  AgentPools_DeleteMachines: {
    ...{ method: 'POST', path: `${POOL}/deleteMachines`, apiVersion: MACHINES_VERSION, body: machineNamesBody },
    specification: 'containerservice/resource-manager/Microsoft.ContainerService/aks/AgentPool.tsp',
    answers:
      'the example AgentPoolsDeleteMachines of 2025-10-02-preview: 202 with Azure-AsyncOperation; where nothing is left, as the fake of karpenter-provider-azure 352646f says it',
  },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof operations

const isName = (name: string): name is OperationName => name in operations

/** The names of all operations. */
export const operationNames: readonly OperationName[] = Object.keys(operations).filter(isName)

/** The operation of a request, and the named parts of its path. */
export interface Route {
  readonly name: OperationName
  readonly operation: Operation
  readonly params: Readonly<Record<string, string>>
}

const pathPattern = (path: string): RegExp =>
  // Resource Manager compares the words of its paths case-insensitively.
  new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
      .replaceAll(/\{(\w+)\+\}/g, '(?<$1>.+)')}$`,
    'i',
  )

const patterns = operationNames.map((name) => [name, pathPattern(operations[name].path)] as const)

/** Returns the operation of a request, or undefined if the provider must not make such a request. */
export const findRoute = (method: string, path: string): Route | undefined => {
  for (const [name, pattern] of patterns) {
    const operation: Operation = operations[name]
    if (operation.method !== method) continue
    const match = pattern.exec(path)
    if (match === null) continue
    const params = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]),
    )
    return { name, operation, params }
  }
  return undefined
}
