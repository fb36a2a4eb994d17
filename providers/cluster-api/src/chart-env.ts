/** Environment variables, each with the value of upstream's chart that sets it. */
const upstream = {
  CLUSTER_API_KUBECONFIG: 'clusterAPIKubeconfig',
  CLUSTER_API_URL: 'clusterAPIURL',
  CLUSTER_API_TOKEN: 'clusterAPIToken',
  CLUSTER_API_CERTIFICATE_AUTHORITY_DATA: 'clusterAPICertificateAuthorityData',
  CLUSTER_API_SKIP_TLS_VERIFY: 'clusterAPISkipTLSVerify',
} as const

const own = {
  CLUSTER_API_CLUSTER: 'clusterAPICluster',
  CLUSTER_API_TEMPLATE_DRIFT: 'clusterAPITemplateDrift',
} as const

const lines = [
  // As in upstream's chart, a value can be in `env`. It applies only if `settings` does not contain it.
  ...Object.entries(upstream).map(([name, value]) => `  "${name}" (coalesce $settings.${value} $env.${value})`),
  ...Object.entries(own).map(([name, value]) => `  "${name}" $settings.${value}`),
]

/** The Helm template for the controller's environment variables with Cluster API. */
export const chartEnv = `{{- $env := .Values.env | default dict -}}
{{- range $name, $value := dict
${lines.join('\n')} }}
{{- include "karpenter.envEntry" (list $ $name $value) }}
{{- end }}`
