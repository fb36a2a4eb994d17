import type { Taint } from '@kerf/apis'
import { parse, parseAllDocuments } from 'yaml'

/** What a kubelet registers its Node with. */
export interface Registration {
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
}

interface NodeRegistration {
  readonly taints?: readonly Taint[]
  readonly kubeletExtraArgs?: readonly { readonly name: string; readonly value: string }[]
}

interface CloudConfig {
  readonly write_files?: readonly { readonly path: string; readonly content: string }[]
}

const labelsOf = (flag: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    flag
      .split(',')
      .filter((pair) => pair !== '')
      .map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)]),
  )

/**
 * Reads the bootstrap data that the kubeadm bootstrap provider writes for a machine, as the machine itself would: a
 * cloud-config with kubeadm's configuration among its files.
 */
export const registrationIn = (bootstrapData: string): Registration => {
  const config = parse(bootstrapData) as CloudConfig
  for (const { content } of config.write_files ?? []) {
    if (!content.includes('nodeRegistration:')) continue
    for (const document of parseAllDocuments(content)) {
      const { nodeRegistration } = document.toJS() as { readonly nodeRegistration?: NodeRegistration }
      if (nodeRegistration === undefined) continue
      const flag = nodeRegistration.kubeletExtraArgs?.find(({ name }) => name === 'node-labels')?.value ?? ''
      return { labels: labelsOf(flag), taints: nodeRegistration.taints ?? [] }
    }
  }
  return { labels: {}, taints: [] }
}
