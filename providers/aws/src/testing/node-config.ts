import type { Taint } from '@kerf/apis'
import { parse } from 'yaml'

interface Document {
  readonly spec: {
    readonly cluster: { readonly name: string; readonly apiServerEndpoint: string }
    readonly kubelet: {
      readonly config: { readonly maxPods: number; readonly registerWithTaints: readonly Taint[] }
      readonly flags: readonly string[]
    }
  }
}

/** The configuration of an AL2023 node at boot. */
export interface NodeConfig {
  readonly cluster: Document['spec']['cluster']
  readonly maxPods: number
  readonly taints: readonly Taint[]
  readonly labels: Readonly<Record<string, string>>
}

/** Returns the NodeConfig from AL2023 user data, parsed as nodeadm parses it. */
export const nodeConfigIn = (userData: string): NodeConfig => {
  const part = userData.split('--//').findLast((each) => each.includes('application/node.eks.aws'))
  if (part === undefined) throw new Error('the user data has no NodeConfig')
  const { cluster, kubelet } = (parse(part.slice(part.indexOf('\n\n'))) as Document).spec
  const flag = kubelet.flags.find((each) => each.startsWith('--node-labels=')) ?? ''
  const [, text = ''] = /^--node-labels="(.*)"$/.exec(flag) ?? []
  const pairs = text.split(',').filter((each) => each !== '')
  return {
    cluster,
    maxPods: kubelet.config.maxPods,
    taints: kubelet.config.registerWithTaints,
    labels: Object.fromEntries(
      pairs.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
    ),
  }
}
