import { kinds, ownField } from '@kerf/apis'
import { ApiError, type KubeClient, type Logger, textOfThrown } from '@kerf/runtime'
import type { EksApi } from '../api/aws-api.ts'
import { awsErrors } from '../failures/aws-errors.ts'
import { awsFailureOf } from '../failures/aws-failure.ts'
import type { ClusterFacts } from '../user-data/bootstrap.ts'

/** What of the cluster launches depend on. */
export interface ClusterView extends ClusterFacts {
  /** `1.34`. */
  readonly version: string
  /** The address of the cluster's DNS service, where it is known. */
  readonly dns?: string
  readonly isIpv6: boolean
}

interface ClusterOptions {
  readonly clusterName: string
  readonly clusterEndpoint: string
  /** In base64. */
  readonly clusterCABundle: string
  readonly eksControlPlane: boolean
}

const textAt = (value: unknown, name: string): string => {
  const field = ownField(value, name)
  return typeof field === 'string' ? field : ''
}

/** `1.34`, of `major` and `minor`; the latter may end in `+`. */
const versionIn = (answer: unknown): string | undefined => {
  const version = `${textAt(answer, 'major')}.${textAt(answer, 'minor').replace(/\+$/, '')}`
  return /^\d+\.\d+$/.test(version) ? version : undefined
}

/**
 * The cluster that nodes join: found once, where settings do not say it (`docs/spec/aws.md#start`,
 * `docs/spec/aws.md#kubernetes-version`).
 */
export class Cluster {
  readonly #eks: EksApi
  readonly #client: KubeClient
  readonly #log: Logger
  readonly #options: ClusterOptions
  #endpoint: string
  #version: string | undefined
  #dns: { readonly address: string | undefined } | undefined
  #serviceCidr: string | undefined
  #arn: string | undefined

  constructor(
    parts: { readonly eks: EksApi; readonly client: KubeClient; readonly log: Logger },
    options: ClusterOptions,
  ) {
    this.#eks = parts.eks
    this.#client = parts.client
    this.#log = parts.log
    this.#options = options
    this.#endpoint = options.clusterEndpoint
  }

  get name(): string {
    return this.#options.clusterName
  }

  /** In base64; empty where nothing is known. It is part of the fingerprint of node classes. */
  get caBundle(): string {
    return this.#options.clusterCABundle
  }

  /** The version as it was last read. */
  get version(): string | undefined {
    return this.#version
  }

  /**
   * Everything but the range of service addresses. What was found once is not asked for again, except the version.
   *
   * @throws NoEndpoint when neither the settings nor EKS tell the endpoint; what the API server answers while it does not
   *   tell the version or the Service of the DNS.
   */
  async view(signal: AbortSignal): Promise<ClusterView> {
    const { clusterName: name, clusterCABundle: caBundle } = this.#options
    if (this.#endpoint === '') this.#endpoint = await this.#findEndpoint(signal)
    const version = this.#version ?? (await this.readVersion(signal))
    this.#dns ??= { address: await this.#findDns(signal) }
    const dns = this.#dns.address
    return {
      name,
      endpoint: this.#endpoint,
      version,
      isIpv6: dns?.includes(':') ?? false,
      ...(caBundle === '' ? {} : { caBundle }),
      ...(dns === undefined ? {} : { dns }),
      ...(this.#serviceCidr === undefined ? {} : { serviceCidr: this.#serviceCidr }),
    }
  }

  /** The range of service addresses, which only AL2023 needs; asked for once. Throws what EKS answers. */
  async serviceCidr(signal: AbortSignal): Promise<string | undefined> {
    this.#serviceCidr ??= (await this.#eks.describeCluster(this.#options.clusterName, signal)).serviceCidr
    return this.#serviceCidr
  }

  /** The ARN of the EKS cluster; asked for once. Throws what EKS answers. */
  async arn(signal: AbortSignal): Promise<string> {
    const { clusterName } = this.#options
    this.#arn ??= (await this.#eks.describeCluster(clusterName, signal)).arn
    if (this.#arn === undefined) throw new Error(`EKS names no ARN for cluster ${clusterName}`)
    return this.#arn
  }

  /** Asks for the version of Kubernetes, `major.minor`. An answer without one keeps what is known; throws while nothing is. */
  async readVersion(signal: AbortSignal): Promise<string> {
    const told = this.#options.eksControlPlane
      ? (await this.#eks.describeCluster(this.#options.clusterName, signal)).version
      : versionIn(await this.#client.raw('/version', { signal }))
    this.#version = told ?? this.#version
    // A Service that was not there may be there now.
    if (this.#dns?.address === undefined) this.#dns = undefined
    if (this.#version === undefined)
      throw new Error(
        `${this.#options.eksControlPlane ? 'EKS' : 'the API server'} does not tell the version of Kubernetes`,
      )
    return this.#version
  }

  async #findEndpoint(signal: AbortSignal): Promise<string> {
    const cluster = this.#options.clusterName
    try {
      const { endpoint } = await this.#eks.describeCluster(cluster, signal)
      if (endpoint !== undefined) return endpoint
    } catch (error) {
      const { code, message } = awsFailureOf(error)
      throw awsErrors.NoEndpoint({ cluster, cause: `${code}: ${message}` }, { cause: error })
    }
    throw awsErrors.NoEndpoint({ cluster, cause: 'EKS has none for it yet' })
  }

  async #findDns(signal: AbortSignal): Promise<string | undefined> {
    try {
      const service = await this.#client.get(kinds.Service, { namespace: 'kube-system', name: 'kube-dns' }, { signal })
      const address = textAt(service.spec, 'clusterIP')
      if (address !== '' && address !== 'None') return address
      this.#log.warn('the Service kube-system/kube-dns has no address; nodes get none for their DNS')
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== 404 && error.code !== 403)) throw error
      this.#log.warn('cannot read the Service kube-system/kube-dns; nodes get no address for their DNS', {
        error: textOfThrown(error),
      })
    }
    return undefined
  }
}
