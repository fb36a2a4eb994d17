import {
  addQuantities,
  formatResources,
  type Node,
  parseQuantity,
  parseResources,
  subtractQuantities,
  type Taint,
  toQuantity,
  zero,
} from '@kerf/apis'
import { node } from '@kerf/testing'
import { parse } from 'yaml'
import { parseKubeEnv } from '../bootstrap/kube-env.ts'
import { labelsInArgs } from '../bootstrap/kubelet-args.ts'
import { providerIdFor } from '../instances/instance-names.ts'
import type { TypeFacts } from '../type-facts.ts'
import type { InstanceBody } from './fake-gcp/instance-body.ts'
import { PROJECT } from './fake-gcp/names.ts'

const MIB = 1024 ** 2
/** The fraction of an instance's memory that Linux can use. */
const MEMORY_SHARE = 0.96
const EVICTION = '100Mi'

/** A running instance of the fake. */
export interface RunningInstance {
  readonly zone: string
  readonly body: InstanceBody
  readonly facts: TypeFacts
}

const taintsIn = (text: string): readonly Taint[] =>
  text.split(',').flatMap((each) => {
    const [, key, value, effect] = /^([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(each) ?? []
    if (key === undefined || effect === undefined) return []
    return [{ key, effect: effect as Taint['effect'], ...(value === undefined ? {} : { value }) }]
  })

/** The labels that GKE's cloud controller manager sets. */
const cloudLabels = ({ zone, body, facts }: RunningInstance): Readonly<Record<string, string>> => ({
  'kubernetes.io/hostname': body.name,
  'kubernetes.io/os': 'linux',
  'kubernetes.io/arch': facts.arch,
  'node.kubernetes.io/instance-type': facts.name,
  'topology.kubernetes.io/region': zone.slice(0, -2),
  'topology.kubernetes.io/zone': zone,
  'topology.gke.io/zone': zone,
})

/** Returns the Node that an instance registers, based on its metadata, with the capacity that its kubelet reports. */
export const gceNode = (instance: RunningInstance): Node => {
  const { zone, body, facts } = instance
  const item = (key: string): string => body.metadata?.items?.find((each) => each.key === key)?.value ?? ''
  const args = parseKubeEnv(item('kube-env')).get('KUBELET_ARGS') ?? ''
  const flag = (name: string): string => new RegExp(`${name}=(\\S+)`).exec(args)?.[1] ?? ''
  const config: { readonly kubeReserved?: Readonly<Record<string, string>> } = parse(item('kubelet-config')) ?? {}
  const reserved = parseResources(config.kubeReserved)
  const memory = toQuantity(Math.floor(facts.memoryMiB * MIB * MEMORY_SHARE))
  const cpu = toQuantity(facts.vcpus)
  const kept = (name: string) => reserved[name] ?? zero
  const pods = flag('--max-pods')
  return node(body.name, {
    labels: { ...labelsInArgs(args), ...cloudLabels(instance) },
    providerID: providerIdFor({ project: PROJECT, zone, name: body.name }),
    spec: { taints: taintsIn(flag('--register-with-taints')) },
    status: {
      capacity: { ...formatResources({ cpu, memory }), 'ephemeral-storage': '95Gi', pods },
      allocatable: {
        ...formatResources({
          cpu: subtractQuantities(cpu, kept('cpu')),
          memory: subtractQuantities(memory, addQuantities(kept('memory'), parseQuantity(EVICTION))),
        }),
        'ephemeral-storage': '47Gi',
        pods,
      },
    },
  })
}
