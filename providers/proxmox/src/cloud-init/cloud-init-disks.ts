import { kinds, type NodeClaim, ownValue } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { ReadCache } from '@kerf/provider-kit'
import { ApiError, type Clock, isNotFound, type KubeClient } from '@kerf/runtime'
import type { GuestConfig, NetworkInterface } from '../api/proxmox-api.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import type { BootstrapTokens } from './bootstrap-tokens.ts'
import { ROOT_CA, secretKind, secretValue, TOKEN_NAMESPACE } from './cluster-objects.ts'
import { guestFiles, TEMPLATE_KEYS, type TemplateTexts } from './guest-files.ts'
import { cloudInitImage } from './iso-image.ts'
import { MetadataOptionsError } from './metadata-options-error.ts'

export interface DiskRequest {
  readonly claim: NodeClaim
  readonly nodeClass: ProxmoxNodeClass
  readonly guest: { readonly region: string; readonly node: string; readonly vmid: number }
  readonly type: Pick<InstanceType, 'name' | 'capacity' | 'overhead'>
  readonly config: GuestConfig
  readonly bridges: readonly NetworkInterface[]
}

export interface CloudInitDisksDeps {
  readonly client: KubeClient
  readonly clock: Clock
  readonly tokens: BootstrapTokens
}

type SecretRef = { readonly name?: string | undefined; readonly namespace?: string | undefined }

/** The maximum number of network cards of a ProxmoxTemplate. */
const EXAMPLE_CARDS = 6

const exampleCard = (index: number): readonly (readonly [string, string])[] => [
  [`net${index}`, `virtio=BC:24:11:00:00:0${index},bridge=vmbr0`],
  [`ipconfig${index}`, `ip=10.0.${index}.5/24,gw=10.0.${index}.1,ip6=2001:db8:${index}::5/64,gw6=2001:db8:${index}::1`],
]

/**
 * An example guest with which templates are checked before the first launch. All its network cards have addresses, so that a template may
 * refer to each of them.
 */
const EXAMPLE = {
  guest: { region: 'example', node: 'pve-1', vmid: 20_000 },
  type: { name: 's1.2VCPU-8GB', capacity: {}, overhead: { kubeReserved: {} } },
  config: Object.fromEntries(Array.from({ length: EXAMPLE_CARDS }, (_, index) => exampleCard(index)).flat()),
  bridges: [
    {
      ...{ iface: 'vmbr0', cidr: '10.0.0.2/24', gateway: '10.0.0.1' },
      ...{ cidr6: '2001:db8::2/64', gateway6: '2001:db8::1' },
    },
  ],
  claim: { metadata: { name: 'example' } },
  ...{ kubernetesVersion: 'v1.36.0', rootCa: '', bootstrapToken: 'abcdef.0123456789abcdef' },
} as const

/** The cloud-init disks of guests (`providers/proxmox/docs/spec/proxmox.md#cloud-init`). */
export class CloudInitDisks {
  readonly #deps: CloudInitDisksDeps
  readonly #facts: ReadCache<string>

  constructor(deps: CloudInitDisksDeps) {
    this.#deps = deps
    this.#facts = new ReadCache(deps.clock, { ttl: 600_000 })
  }

  /** Returns the content of a guest's disk. It contains a token: never log it. */
  async image(request: DiskRequest, signal: AbortSignal): Promise<Buffer> {
    const { clock, tokens } = this.#deps
    const [texts, kubernetesVersion, rootCa] = await Promise.all([
      this.#texts(request.nodeClass, signal),
      this.#facts.read('version', (inner) => this.#version(inner), signal),
      this.#facts.read('authority', (inner) => this.#authority(inner), signal),
    ])
    const bootstrapToken = await tokens.issue(request.claim, signal)
    return cloudInitImage(guestFiles(texts, { ...request, kubernetesVersion, rootCa, bootstrapToken }), clock.now())
  }

  /**
   * Executes the templates of a class for an example guest.
   *
   * @throws MetadataOptionsError if a Secret cannot be read or a template is invalid
   */
  async check(nodeClass: ProxmoxNodeClass, signal: AbortSignal): Promise<void> {
    guestFiles(await this.#texts(nodeClass, signal), { ...EXAMPLE, nodeClass })
  }

  async #texts({ spec }: ProxmoxNodeClass, signal: AbortSignal): Promise<TemplateTexts> {
    const { templatesRef = {}, valuesRef } = spec?.metadataOptions ?? {}
    const templates = await this.#secret('templatesRef', templatesRef, signal)
    const values = valuesRef === undefined ? {} : ((await this.#secret('valuesRef', valuesRef, signal)).data ?? {})
    return {
      templates: Object.fromEntries(TEMPLATE_KEYS.map((key) => [key, secretValue(templates, key) ?? ''])),
      values: Object.fromEntries(Object.keys(values).map((key) => [key, secretValue({ data: values }, key) ?? ''])),
    }
  }

  async #secret(field: string, { name = '', namespace = '' }: SecretRef, signal: AbortSignal) {
    const where = `spec.metadataOptions.${field}`
    if (name === '' || namespace === '')
      throw new MetadataOptionsError(`${where} needs the name and the namespace of a Secret`)
    try {
      return await this.#deps.client.get(secretKind, { name, namespace }, { signal })
    } catch (error) {
      const title = `Secret ${namespace}/${name}`
      if (isNotFound(error)) throw new MetadataOptionsError(`${where}: ${title} does not exist; create it`)
      if (!(error instanceof ApiError) || error.code !== 403) throw error
      throw new MetadataOptionsError(
        `${where}: Kerf may not read ${title}; move it to ${TOKEN_NAMESPACE}, or grant the permission`,
        { cause: error },
      )
    }
  }

  async #version(signal: AbortSignal): Promise<string> {
    const answer = await this.#deps.client.raw('/version', { signal })
    const version = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'gitVersion') : undefined
    return typeof version === 'string' ? version : ''
  }

  async #authority(signal: AbortSignal): Promise<string> {
    const ref = { name: ROOT_CA, namespace: TOKEN_NAMESPACE }
    return ownValue((await this.#deps.client.get(kinds.ConfigMap, ref, { signal })).data, 'ca.crt') ?? ''
  }
}
