/** What a node needs in order to join the cluster. */
export interface ClusterJoin {
  /** The URL of the API server, for example `https://10.0.0.10:6443`. */
  readonly endpoint: string
  /** The certificate authority of the API server, in base64. */
  readonly caBundle: string
  /** The address of the cluster's DNS. Empty if OKE knows it. */
  readonly dns: string
  /** The token of self-managed clusters. OKE needs none. Never logged. */
  readonly bootstrapToken: string
  /** Whether pods get addresses of the VCN. Only an OciNodeClass uses this setting. */
  readonly isVcnNative: boolean
}

/** Returns the host of the API server, with which the install script of OKE connects. */
export const apiServerHost = ({ endpoint }: Pick<ClusterJoin, 'endpoint'>): string =>
  URL.canParse(endpoint) ? new URL(endpoint).hostname : endpoint
