import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeChartCrds } from '../../../tools/release/chart-crds.ts'
import { upstreamRoles } from './upstream-roles.ts'

const selector = { 'app.kubernetes.io/name': 'karpenter', 'app.kubernetes.io/instance': 'karpenter' }
const labels = {
  ...selector,
  'helm.sh/chart': 'karpenter-1.14.1',
  'app.kubernetes.io/version': '1.14.1',
  'app.kubernetes.io/managed-by': 'Helm',
}

const metadata = (name: string, namespace?: string) => ({
  name,
  labels,
  ...(namespace === undefined ? {} : { namespace }),
})

/** The variables that Karpenter's chart always sets (`docs/spec/chart.md#values`), and those that the values of this test add. */
const variables: readonly object[] = [
  { name: 'KUBERNETES_MIN_VERSION', value: '1.19.0-0' },
  { name: 'KARPENTER_SERVICE', value: 'karpenter' },
  { name: 'LOG_LEVEL', value: 'info' },
  { name: 'METRICS_PORT', value: '8080' },
  { name: 'HEALTH_PROBE_PORT', value: '8081' },
  { name: 'SYSTEM_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
  {
    name: 'CPU_REQUESTS',
    valueFrom: { resourceFieldRef: { containerName: 'controller', divisor: '1m', resource: 'requests.cpu' } },
  },
  {
    name: 'MEMORY_LIMIT',
    valueFrom: { resourceFieldRef: { containerName: 'controller', divisor: '0', resource: 'limits.memory' } },
  },
  {
    name: 'FEATURE_GATES',
    value:
      'ReservedCapacity=true,SpotToSpotConsolidation=false,NodeRepair=false,NodeOverlay=false,StaticCapacity=false,CapacityBuffer=false',
  },
  { name: 'AWS_FEATURE_GATES', value: 'NodeClassCEL=false' },
  { name: 'BATCH_MAX_DURATION', value: '10s' },
  { name: 'BATCH_IDLE_DURATION', value: '1s' },
  { name: 'PREFERENCE_POLICY', value: 'Respect' },
  { name: 'MIN_VALUES_POLICY', value: 'Strict' },
  { name: 'CLUSTER_NAME', value: '{{ .Values.settings.clusterName }}' },
  { name: 'VM_MEMORY_OVERHEAD_PERCENT', value: '0.075' },
  { name: 'INTERRUPTION_QUEUE', value: '{{ .Values.settings.interruptionQueue }}' },
  { name: 'RESERVED_ENIS', value: '0' },
  { name: 'IGNORE_DRA_REQUESTS', value: 'true' },
  { name: 'AMI_REFRESH_INTERVAL', value: '1m' },
  { name: 'SUBNET_REFRESH_INTERVAL', value: '1m' },
]

/** The objects of Karpenter's chart with their names and immutable fields (`docs/spec/chart.md#rendered-objects`). */
const objects: readonly object[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata('karpenter', 'kube-system'),
    spec: {
      replicas: 2,
      strategy: { rollingUpdate: { maxUnavailable: 1 } },
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: selector },
        spec: {
          serviceAccountName: 'karpenter',
          tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }],
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }] }],
              },
            },
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: selector } },
              ],
            },
          },
          containers: [
            {
              name: 'controller',
              image: 'public.ecr.aws/karpenter/controller:1.14.1',
              env: variables,
              ports: [
                { name: 'http-metrics', containerPort: 8080, protocol: 'TCP' },
                { name: 'http', containerPort: 8081, protocol: 'TCP' },
              ],
            },
          ],
        },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata('karpenter', 'kube-system'),
    spec: {
      type: 'ClusterIP',
      selector,
      ports: [{ name: 'http-metrics', port: 8080, targetPort: 'http-metrics', protocol: 'TCP' }],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: metadata('karpenter', 'kube-system'),
    automountServiceAccountToken: false,
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadata('karpenter', 'kube-system'),
    spec: { maxUnavailable: 1, selector: { matchLabels: selector } },
  },
  ...upstreamRoles({ namespace: 'kube-system', name: 'karpenter' }, { labels }),
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {
      ...metadata('karpenter-admin'),
      labels: { ...labels, 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' },
    },
    rules: [{ apiGroups: ['karpenter.sh'], resources: ['nodepools'], verbs: ['get'] }],
  },
]

/** Returns the folder of a chart whose release looks like an installation of Karpenter 1.14. The caller deletes the folder. */
export const upstreamChart = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-upstream-'))
  const folder = join(directory, 'karpenter')
  mkdirSync(join(folder, 'templates'), { recursive: true })
  writeChartCrds(folder)
  writeFileSync(
    join(folder, 'Chart.yaml'),
    JSON.stringify({ apiVersion: 'v2', name: 'karpenter', version: '1.14.1', appVersion: '1.14.1' }),
  )
  writeFileSync(join(folder, 'values.yaml'), JSON.stringify({ settings: { clusterName: '', interruptionQueue: '' } }))
  writeFileSync(join(folder, 'templates', 'all.yaml'), objects.map((object) => JSON.stringify(object)).join('\n---\n'))
  return folder
}
