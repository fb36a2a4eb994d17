import {
  addQuantities,
  formatResources,
  type Node,
  parseQuantity,
  parseResources,
  type ResourceList,
  subtractQuantities,
  type Taint,
  toQuantity,
  zero,
} from '@kerf/apis'
import { node } from '@kerf/testing'
import type { FakeAzure } from './fake-azure/fake-azure.ts'
import { LOCATION } from './fake-azure/fake-offer.ts'
import type { FakeVm } from './fake-azure/fake-vms.ts'

const GIB = 1024 ** 3
/** The fraction of a VM's memory that Linux can use. */
const MEMORY_SHARE = 0.95

/** Returns the variables that a VM's custom data sets. */
export const variablesIn = (customData: string): ReadonlyMap<string, string> => {
  const script = Buffer.from(customData, 'base64').toString('utf8')
  return new Map([...script.matchAll(/^([A-Z_0-9]+)='([^']*)'$/gm)].map(([, name = '', value = '']) => [name, value]))
}

const pairsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair !== '')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )

const taintsIn = (text: string): readonly Taint[] =>
  text.split(',').flatMap((each) => {
    const [, key, value, effect] = /^([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(each) ?? []
    if (key === undefined || effect === undefined) return []
    return [{ key, effect: effect as Taint['effect'], ...(value === undefined ? {} : { value }) }]
  })

const cloudLabels = ({ name, zones, properties }: FakeVm): Readonly<Record<string, string>> => ({
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
  'node.kubernetes.io/instance-type': properties.hardwareProfile?.vmSize ?? '',
  'topology.kubernetes.io/region': LOCATION,
  // For a VM without a zone, cloud-provider-azure uses the fault domain.
  'topology.kubernetes.io/zone': zones?.[0] === undefined ? '0' : `${LOCATION}-${zones[0]}`,
})

/** Returns the custom data with which the VM was created. Azure itself never returns it. */
export const readCustomData = ({ bodies }: FakeAzure, name: string): string => {
  const body = bodies.findLast((text) => text.includes(`"computerName":"${name}"`))
  const { properties } = JSON.parse(body ?? '{}') as { properties?: { osProfile?: { customData?: string } } }
  return properties?.osProfile?.customData ?? ''
}

/**
 * Returns the amounts that a kubelet reports. The capacity is the part of the VM that Linux can use. The allocatable amounts are lower by
 * the reserved resources, the eviction threshold of memory, and a tenth of the disk (Kubernetes documentation, "Reserve Compute Resources
 * for System Daemons").
 */
const amountsOf = (
  { offer }: FakeAzure,
  { properties }: FakeVm,
  reserved: Readonly<Record<string, string>>,
  pods: string,
): { readonly capacity: ResourceList; readonly allocatable: ResourceList } => {
  const size = offer.skus.find(({ name }) => name === properties.hardwareProfile?.vmSize)
  const capability = (name: string): number => Number(size?.capabilities?.find((each) => each.name === name)?.value)
  const kept = parseResources(reserved)
  const memory = toQuantity(Math.floor(capability('MemoryGB') * GIB * MEMORY_SHARE))
  const cpu = toQuantity(capability('vCPUs'))
  return {
    capacity: { ...formatResources({ cpu, memory }), 'ephemeral-storage': '110Gi', pods },
    allocatable: {
      ...formatResources({
        cpu: subtractQuantities(cpu, kept['cpu'] ?? zero),
        memory: subtractQuantities(memory, addQuantities(kept['memory'] ?? zero, parseQuantity('750Mi'))),
      }),
      'ephemeral-storage': '99Gi',
      pods,
    },
  }
}

/**
 * Returns the Node of a VM, as its custom data defines it. It has the labels of the cloud controller manager, and the amounts that its
 * kubelet reports.
 */
export const vmNode = (azure: FakeAzure, vm: FakeVm) => {
  const variables = variablesIn(readCustomData(azure, vm.name))
  const flags = variables.get('KUBELET_FLAGS') ?? ''
  const flag = (name: string): string => new RegExp(`${name}=(\\S+)`).exec(flags)?.[1] ?? ''
  const [, group = ''] = /\/resourceGroups\/([^/]+)/.exec(vm.id) ?? []
  const registered: Node = node(vm.name, {
    labels: { ...pairsIn(variables.get('KUBELET_NODE_LABELS') ?? ''), ...cloudLabels(vm) },
    providerID: `azure://${vm.id.replace(group, group.toLowerCase())}`,
    spec: { taints: taintsIn(flag('--register-with-taints')) },
  })
  return {
    node: registered,
    amounts: amountsOf(azure, vm, pairsIn(flag('--kube-reserved')), flag('--max-pods')),
    status: { nodeInfo: { kubeletVersion: `v${variables.get('KUBERNETES_VERSION')}` } },
  }
}
