import { type NodeClaim, ownValue, toNumber, zero } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { parseProperties } from '../api/property-string.ts'
import type { GuestConfig, NetworkInterface } from '../api/proxmox-api.ts'
import { executeTemplate } from '../go-template/evaluator.ts'
import { GoStruct, type GoValue } from '../go-template/go-value.ts'
import { parseTemplate } from '../go-template/parser.ts'
import { TemplateError } from '../go-template/template-error.ts'
import { providerId } from '../names.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import { defaultTemplates } from './default-templates.ts'
import { kubeletVariables } from './kubelet-variables.ts'
import { MetadataOptionsError } from './metadata-options-error.ts'
import { networkVariables } from './network-variables.ts'
import { templateFunctions } from './template-functions.ts'

/** The keys of a Secret with templates. All of them are optional. */
export const TEMPLATE_KEYS = ['user-data', 'meta-data', 'network-config', 'vendor-data'] as const
export type TemplateKey = (typeof TEMPLATE_KEYS)[number]

/** The contents of the Secrets to which a node class refers. */
export interface TemplateTexts {
  readonly templates: Readonly<Partial<Record<TemplateKey, string>>>
  readonly values: Readonly<Record<string, string>>
}

/** The inputs from which a guest's files are built, in addition to the Secrets. */
export interface GuestFacts {
  readonly claim: Pick<NodeClaim, 'metadata'>
  readonly nodeClass: Pick<ProxmoxNodeClass, 'metadata' | 'spec'>
  readonly guest: { readonly region: string; readonly node: string; readonly vmid: number }
  readonly type: Pick<InstanceType, 'name' | 'capacity' | 'overhead'>
  /** The configuration of the guest. */
  readonly config: GuestConfig
  /** The bridges of the hypervisor. */
  readonly bridges: readonly NetworkInterface[]
  readonly kubernetesVersion: string
  readonly rootCa: string
  /** A secret: never log it. */
  readonly bootstrapToken: string
}

const GIB = 1024 ** 3
const MIB = 1024 ** 2

const metadataVariables = ({ claim, nodeClass, guest, type, config }: GuestFacts): GoStruct =>
  new GoStruct({
    Hostname: claim.metadata.name,
    InstanceID: String(guest.vmid),
    InstanceUUID: parseProperties(String(config['smbios1'] ?? ''), 'uuid').get('uuid') ?? '',
    InstanceType: type.name,
    ProviderID: providerId(guest),
    Region: guest.region,
    Zone: guest.node,
    Tags: nodeClass.spec?.tags ?? [],
    NodeClass: nodeClass.metadata.name,
  })

const resourceVariables = ({ capacity }: GuestFacts['type']): GoStruct => {
  const amount = (name: string, unit: number): number => Math.floor(toNumber(ownValue(capacity, name) ?? zero) / unit)
  return new GoStruct(
    {
      CPU: amount('cpu', 1),
      Memory: amount('memory', 1),
      Hugepages1Gi: amount('hugepages-1Gi', GIB),
      Hugepages2Mi: amount('hugepages-2Mi', 2 * MIB),
    },
    { CPU: 'cpu', Memory: 'memory', Hugepages1Gi: 'hugepages1Gi', Hugepages2Mi: 'hugepages2Mi' },
  )
}

const rendered = (key: TemplateKey, text: string, data: GoValue): string => {
  try {
    return executeTemplate(parseTemplate(text, templateFunctions.names), templateFunctions, data)
  } catch (error) {
    if (error instanceof TemplateError)
      throw new MetadataOptionsError(`the template ${key} cannot be used: ${error.message}`, { cause: error })
    throw error
  }
}

/**
 * Returns the files of a guest's cloud-init disk (`providers/proxmox/docs/spec/proxmox.md#cloud-init`).
 *
 * @throws MetadataOptionsError if a template is invalid
 */
export const guestFiles = (
  { templates, values }: TemplateTexts,
  facts: GuestFacts,
): Readonly<Record<string, string>> => {
  const metadata = metadataVariables(facts)
  const network = networkVariables(facts.config, facts.bridges)
  const { nodeClass, type, guest, kubernetesVersion, rootCa, bootstrapToken } = facts
  const all = new GoStruct({
    Metadata: metadata,
    Network: network,
    Resources: resourceVariables(type),
    Kubernetes: new GoStruct({
      ...{ Version: kubernetesVersion, RootCA: rootCa, BootstrapToken: bootstrapToken },
      KubeletConfiguration: kubeletVariables(nodeClass, type.overhead, providerId(guest)),
    }),
    Values: new Map(Object.entries(values)),
  })
  const file = (key: TemplateKey, usual: string, data: GoValue): readonly (readonly [string, string])[] => {
    const { [key]: given = '' } = templates
    const text = given === '' ? usual : given
    return text === '' ? [] : [[key, rendered(key, text, data)]]
  }
  return Object.fromEntries([
    ...file('user-data', defaultTemplates['user-data'], all),
    ...file('meta-data', defaultTemplates['meta-data'], metadata),
    ...file('network-config', defaultTemplates['network-config'], network),
    ...file('vendor-data', '', metadata),
  ])
}
