/** The data that a node needs in order to join the cluster. */
export interface ClusterJoin {
  /** The URL of the API server, for example `https://10.0.0.10:6443`. */
  readonly endpoint: string
  /** The certificate authority of the API server, in base64. */
  readonly caBundle: string
  /** The address of the cluster's DNS. Empty if OKE sets it. */
  readonly dns: string
  /** The bootstrap token of a self-managed cluster. OKE clusters need none. Never log it. */
  readonly bootstrapToken: string
  /** Whether pods get addresses from the VCN. Only OciNodeClasses use this setting. */
  readonly isVcnNative: boolean
}

/** Returns the host of the API server, to which OKE's install script connects. */
export const apiServerHost = ({ endpoint }: Pick<ClusterJoin, 'endpoint'>): string =>
  URL.canParse(endpoint) ? new URL(endpoint).hostname : endpoint
