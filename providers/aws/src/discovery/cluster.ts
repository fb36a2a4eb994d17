import { kinds, ownField } from '@kerf/apis'
import { providerErrors } from '@kerf/provider-contract'
import { ApiError, type KubeClient, type Logger, textOfThrown } from '@kerf/runtime'
import type { EksApi } from '../api/aws-api.ts'
import { awsErrors } from '../failures/aws-errors.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import type { ClusterFacts } from '../user-data/bootstrap.ts'

/** The facts about the cluster that launches need. */
export interface ClusterView extends ClusterFacts {
  /** For example `1.34`. */
  readonly version: string
  /** The address of the cluster's DNS service, if known. */
  readonly dns?: string
  readonly isIpv6: boolean
}

interface ClusterOptions {
  readonly clusterName: string
  readonly clusterEndpoint: string
  /** The certificate authority in base64. */
  readonly clusterCABundle: string
  readonly eksControlPlane: boolean
}

const textAt = (value: unknown, name: string): string => {
  const field = ownField(value, name)
  return typeof field === 'string' ? field : ''
}

/** Returns the version, such as `1.34`, from `major` and `minor`. `minor` may end in `+`. */
const versionIn = (answer: unknown): string | undefined => {
  const version = `${textAt(answer, 'major')}.${textAt(answer, 'minor').replace(/\+$/, '')}`
  return /^\d+\.\d+$/.test(version) ? version : undefined
}

/**
 * The cluster that nodes join. Values that the settings do not contain are looked up once (`providers/aws/docs/spec/aws.md#start`,
 * `providers/aws/docs/spec/aws.md#kubernetes-version`).
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
    deps: { readonly eks: EksApi; readonly client: KubeClient; readonly log: Logger },
    options: ClusterOptions,
  ) {
    this.#eks = deps.eks
    this.#client = deps.client
    this.#log = deps.log
    this.#options = options
    this.#endpoint = options.clusterEndpoint
  }

  get name(): string {
    return this.#options.clusterName
  }

  /** The certificate authority in base64, or an empty string. It is part of the hash of node classes. */
  get caBundle(): string {
    return this.#options.clusterCABundle
  }

  /** The version that was last read. */
  get version(): string | undefined {
    return this.#version
  }

  /**
   * Returns all facts about the cluster. Includes the service CIDR only if it was read before. Looks up each value once, except the
   * version, which `readVersion` updates.
   *
   * @throws NoEndpoint if neither the settings nor EKS contain the endpoint; the error of the API server if the version or the DNS
   * Service cannot be read.
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

  /** Returns the service CIDR, which only AL2023 needs. Requests it from EKS only once. Throws EKS's error. */
  async serviceCidr(signal: AbortSignal): Promise<string | undefined> {
    this.#serviceCidr ??= (await this.#eks.describeCluster(this.#options.clusterName, signal)).serviceCidr
    return this.#serviceCidr
  }

  /** Returns the ARN of the EKS cluster. Requests it from EKS only once. Throws EKS's error. */
  async arn(signal: AbortSignal): Promise<string> {
    const { clusterName } = this.#options
    this.#arn ??= (await this.#eks.describeCluster(clusterName, signal)).arn
    if (this.#arn === undefined)
      throw providerErrors.IncompleteAnswer({ problem: `EKS returned no ARN for cluster ${clusterName}` })
    return this.#arn
  }

  /**
   * Reads the Kubernetes version, as `major.minor`. If the answer contains no version, keeps the known one. Throws if no version is
   * known.
   */
  async readVersion(signal: AbortSignal): Promise<string> {
    const version = this.#options.eksControlPlane
      ? (await this.#eks.describeCluster(this.#options.clusterName, signal)).version
      : versionIn(await this.#client.raw('/version', { signal }))
    this.#version = version ?? this.#version
    // The DNS Service may have been created since the last look-up.
    if (this.#dns?.address === undefined) this.#dns = undefined
    if (this.#version === undefined)
      throw providerErrors.KubernetesVersionUnknown({
        problem: `${this.#options.eksControlPlane ? 'EKS' : 'the API server'} did not return the Kubernetes version`,
      })
    return this.#version
  }

  async #findEndpoint(signal: AbortSignal): Promise<string> {
    const cluster = this.#options.clusterName
    try {
      const { endpoint } = await this.#eks.describeCluster(cluster, signal)
      if (endpoint !== undefined) return endpoint
    } catch (error) {
      const { code, message } = classifyAwsFailure(error)
      throw awsErrors.NoEndpoint({ cluster, cause: `${code}: ${message}` }, { cause: error })
    }
    throw awsErrors.NoEndpoint({ cluster, cause: 'EKS has no endpoint for it yet' })
  }

  async #findDns(signal: AbortSignal): Promise<string | undefined> {
    try {
      const service = await this.#client.get(kinds.Service, { namespace: 'kube-system', name: 'kube-dns' }, { signal })
      const address = textAt(service.spec, 'clusterIP')
      if (address !== '' && address !== 'None') return address
      this.#log.warn('the Service kube-system/kube-dns has no IP; nodes get no DNS address')
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== 404 && error.code !== 403)) throw error
      this.#log.warn('cannot read the Service kube-system/kube-dns; nodes get no DNS address', {
        error: textOfThrown(error),
      })
    }
    return undefined
  }
}
