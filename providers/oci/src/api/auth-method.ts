/** The identity with which the controller signs its requests (`providers/oci/docs/spec/oci.md`). */
export type AuthMethod =
  /** The workload identity of the controller's ServiceAccount in OKE. */
  | { readonly kind: 'workload-identity' }
  /** The identity of the instance on which the controller runs. */
  | { readonly kind: 'instance-principal' }
  /** A user's API key in a configuration file of Oracle's tools. Empty strings mean the default file and profile. */
  | { readonly kind: 'config-file'; readonly file: string; readonly profile: string }
  /** A session of Oracle's command-line tool, in the same configuration file. */
  | { readonly kind: 'session'; readonly file: string; readonly profile: string }
  /** A user's API key. */
  | { readonly kind: 'api-key'; readonly key: ApiKey }

export interface ApiKey {
  readonly tenancy: string
  readonly user: string
  readonly fingerprint: string
  /** The private key in PEM format. */
  readonly privateKey: string
  readonly passphrase: string
}
