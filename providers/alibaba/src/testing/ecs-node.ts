import { type Node, setOwnValue, type Taint } from '@kerf/apis'
import { node } from '@kerf/testing'
import type { FakeAccount, FakeInstance } from './fake-alibaba/fake-account.ts'
import { REGION } from './fake-alibaba/names.ts'

const MIB_PER_GIB = 1024
/** The fraction of the memory that is visible to Linux. The provider assumes a lower fraction. */
const MEMORY_SHARE = 0.94
const PODS = 110

/** Returns the name of the Node of an instance. */
export const nodeName = (instanceId: string): string => `${REGION}.${instanceId}`

const option = (script: string, name: string): string => new RegExp(` --${name} (\\S+)`).exec(script)?.[1] ?? ''

const pairsIn = (text: string): Readonly<Record<string, string>> => {
  const pairs: Record<string, string> = {}
  for (const pair of text.split(',').filter((each) => each.includes('=')))
    setOwnValue(pairs, pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
  return pairs
}

const taintsIn = (text: string): readonly Taint[] =>
  text.split(',').flatMap((each) => {
    const [, key, value, effect] = /^([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(each) ?? []
    if (key === undefined || effect === undefined) return []
    return [{ key, effect: effect as Taint['effect'], ...(value === undefined ? {} : { value }) }]
  })

/**
 * Returns the Node that an instance registers, based on its user data. It has the labels of ACK's cloud controller manager and the capacity
 * that the kubelet reports.
 */
export const registeredNode = (account: FakeAccount, { id, type, zone, userData }: FakeInstance): Node => {
  const script = Buffer.from(userData, 'base64').toString('utf8')
  const described = account.types.find(({ InstanceTypeId }) => InstanceTypeId === type)
  const [cpus, memoryGiB] = [described?.CpuCoreCount ?? 0, described?.MemorySize ?? 0]
  const memory = Math.floor(memoryGiB * MIB_PER_GIB * MEMORY_SHARE)
  // The maximum reservation of ACK's formula.
  const reserved = Math.min(11 * PODS + 255, memoryGiB * 256) + 200
  const common = { 'ephemeral-storage': '40Gi', pods: `${PODS}` }
  const name = nodeName(id)
  const made = node(name, {
    labels: {
      ...pairsIn(option(script, 'labels')),
      'kubernetes.io/hostname': name,
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': described?.CpuArchitecture === 'ARM' ? 'arm64' : 'amd64',
      'node.kubernetes.io/instance-type': type,
      'topology.kubernetes.io/region': REGION,
      'topology.kubernetes.io/zone': zone,
    },
    providerID: `${REGION}.${id}`,
    spec: { taints: taintsIn(option(script, 'taints')) },
  })
  return {
    ...made,
    status: {
      ...made.status,
      capacity: { cpu: `${cpus}`, memory: `${memory}Mi`, ...common },
      allocatable: { cpu: `${cpus * 1_000 - 60}m`, memory: `${memory - reserved}Mi`, ...common },
    },
  }
}
