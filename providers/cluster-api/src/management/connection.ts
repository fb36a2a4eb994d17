import { bearer, type Connection, fixedCredentials, runtimeErrors } from '@kerf/runtime'
import type { ClusterApiSettings } from '../settings.ts'
import type { NamespacedName } from './management-cluster.ts'

/** The location of the management cluster (`providers/cluster-api/docs/spec/cluster-api.md#connection`). */
export type ManagementAddress =
  | { readonly kind: 'same' }
  | { readonly kind: 'kubeconfig'; readonly file: string }
  | { readonly kind: 'url'; readonly connection: Connection }

export interface ChosenAddress {
  readonly address: ManagementAddress
  /** The names of settings that are set and have no effect. */
  readonly unused: readonly string[]
}

/**
 * Returns the address in the settings. As in upstream, the kubeconfig takes precedence over the URL, and the URL over the cluster that Kerf
 * manages.
 *
 * @throws KerfError `InvalidSetting` that lists all contradictory settings.
 */
export const chosenAddress = (settings: ClusterApiSettings): ChosenAddress => {
  const { clusterApiKubeconfig: file, clusterApiUrl: url } = settings
  const beside = settingsGiven(settings)
  if (file !== '')
    return { address: { kind: 'kubeconfig', file }, unused: url === '' ? beside : ['CLUSTER_API_URL', ...beside] }
  const problems = [...problemsOfUrl(settings), ...(url === '' ? beside.map(withoutUrl) : [])]
  if (problems.length > 0) throw runtimeErrors.InvalidSetting({ problems })
  return {
    address: url === '' ? { kind: 'same' } : { kind: 'url', connection: settingsConnection(settings) },
    unused: [],
  }
}

/** Returns the names of the settings that are set but apply only if the address is a URL. */
const settingsGiven = (settings: ClusterApiSettings): readonly string[] => [
  ...(settings.clusterApiToken === '' ? [] : ['CLUSTER_API_TOKEN']),
  ...(settings.clusterApiCertificateAuthorityData === '' ? [] : ['CLUSTER_API_CERTIFICATE_AUTHORITY_DATA']),
  ...(settings.clusterApiSkipTlsVerify ? ['CLUSTER_API_SKIP_TLS_VERIFY'] : []),
]

const withoutUrl = (name: string): string =>
  `${name} is set without CLUSTER_API_URL and has no effect: set the URL too, or unset it`

const problemsOfUrl = (settings: ClusterApiSettings): readonly string[] => {
  const { clusterApiUrl: url, clusterApiCertificateAuthorityData: ca, clusterApiSkipTlsVerify: skips } = settings
  if (url === '') return []
  const isUrl = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  return [
    ...(isUrl ? [] : [`CLUSTER_API_URL: ${JSON.stringify(url)} is not a URL such as https://10.0.0.1:6443`]),
    ...(ca !== '' && skips
      ? [
          'CLUSTER_API_CERTIFICATE_AUTHORITY_DATA and CLUSTER_API_SKIP_TLS_VERIFY contradict each other: unset one of them',
        ]
      : []),
    ...(ca === '' || ca.includes('-----BEGIN CERTIFICATE-----')
      ? []
      : ['CLUSTER_API_CERTIFICATE_AUTHORITY_DATA must be a certificate in PEM format, not encoded in base64']),
    ...(isUrl && new URL(url).protocol === 'http:' && settings.clusterApiToken !== ''
      ? ['CLUSTER_API_TOKEN would be sent unencrypted: use an https URL']
      : []),
  ]
}

const settingsConnection = (settings: ClusterApiSettings): Connection => {
  const { clusterApiToken: token, clusterApiCertificateAuthorityData: ca, clusterApiSkipTlsVerify } = settings
  return {
    server: settings.clusterApiUrl.replace(/\/+$/, ''),
    tls: { ...(ca !== '' && { ca }), ...(clusterApiSkipTlsVerify && { insecure: true }) },
    credentials: fixedCredentials(token === '' ? {} : { authorization: bearer(token) }),
    origin: 'CLUSTER_API_URL',
  }
}

/**
 * Parses `CLUSTER_API_CLUSTER`, if set.
 *
 * @throws KerfError `InvalidSetting`
 */
export const chosenCluster = ({ clusterApiCluster: text }: ClusterApiSettings): NamespacedName | undefined => {
  if (text === '') return undefined
  const [namespace = '', name = '', ...rest] = text.split('/')
  if (namespace !== '' && name !== '' && rest.length === 0) return { namespace, name }
  throw runtimeErrors.InvalidSetting({
    problems: [`CLUSTER_API_CLUSTER: ${JSON.stringify(text)} must have the form NAMESPACE/NAME`],
  })
}
