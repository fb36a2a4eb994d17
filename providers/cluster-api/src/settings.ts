import { type SettingsOf, setting } from '@kerf/runtime'

const { flagged, text } = setting

/**
 * The settings of `kerf run` for this provider. Those of upstream have upstream's names (`providers/cluster-api/docs/spec/cluster-api.md#connection`).
 */
export const clusterApiSettings = {
  clusterApiKubeconfig: text({
    env: 'CLUSTER_API_KUBECONFIG',
    flag: 'cluster-api-kubeconfig',
    default: '',
    meaning:
      'Kubeconfig file of the Cluster API management cluster. If empty, `--cluster-api-url` applies; if that is empty too, the management cluster is the cluster in which Kerf launches nodes.',
  }),
  clusterApiUrl: text({
    env: 'CLUSTER_API_URL',
    flag: 'cluster-api-url',
    default: '',
    meaning: 'URL of the API server of the Cluster API management cluster, in place of a kubeconfig.',
  }),
  clusterApiToken: text({
    env: 'CLUSTER_API_TOKEN',
    flag: 'cluster-api-token',
    default: '',
    meaning: 'Bearer token that goes with `--cluster-api-url`.',
  }),
  clusterApiCertificateAuthorityData: text({
    env: 'CLUSTER_API_CERTIFICATE_AUTHORITY_DATA',
    flag: 'cluster-api-certificate-authority-data',
    default: '',
    meaning: 'Certificate authority that goes with `--cluster-api-url`, as PEM text. If empty, those of the system.',
  }),
  clusterApiSkipTlsVerify: flagged({
    env: 'CLUSTER_API_SKIP_TLS_VERIFY',
    flag: 'cluster-api-skip-tls-verify',
    default: false,
    meaning: 'Trust any certificate of `--cluster-api-url`. For tests only.',
  }),
  clusterApiTemplateDrift: flagged({
    env: 'CLUSTER_API_TEMPLATE_DRIFT',
    flag: 'cluster-api-template-drift',
    default: true,
    origin: 'kerf',
    meaning:
      'Replace nodes whose Machine was made from an older template of its MachineDeployment. Only where the MachineDeployment has the strategy OnDelete; otherwise Cluster API replaces Machines itself.',
  }),
  clusterApiCluster: text({
    env: 'CLUSTER_API_CLUSTER',
    flag: 'cluster-api-cluster',
    default: '',
    origin: 'kerf',
    meaning:
      'NAMESPACE/NAME of the Cluster object of the cluster in which Kerf launches nodes. If empty, Kerf finds it by the provider IDs of Nodes and Machines. If set, Kerf reads only this namespace of the management cluster.',
  }),
} as const

export type ClusterApiSettings = SettingsOf<typeof clusterApiSettings>
