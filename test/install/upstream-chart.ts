import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chart } from './helm.ts'

const selector = { 'app.kubernetes.io/name': 'karpenter', 'app.kubernetes.io/instance': 'karpenter' }
const labels = {
  ...selector,
  'helm.sh/chart': 'karpenter-1.14.1',
  'app.kubernetes.io/version': '1.14.1',
  'app.kubernetes.io/managed-by': 'Helm',
}
const RBAC = 'rbac.authorization.k8s.io/v1'

const metadata = (name: string, namespace?: string) => ({
  name,
  labels,
  ...(namespace === undefined ? {} : { namespace }),
})

const role = (name: string, namespace?: string): readonly object[] => {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role'
  return [
    {
      apiVersion: RBAC,
      kind,
      metadata: metadata(name, namespace),
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }],
    },
    {
      apiVersion: RBAC,
      kind: `${kind}Binding`,
      metadata: metadata(name, namespace),
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
      subjects: [{ kind: 'ServiceAccount', name: 'karpenter', namespace: 'kube-system' }],
    },
  ]
}

/** The objects of Karpenter's chart under their names, with its immutable fields (`spec/core-api.md` 5.3). */
const objects: readonly object[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata('karpenter', 'kube-system'),
    spec: {
      replicas: 2,
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: selector },
        spec: {
          serviceAccountName: 'karpenter',
          containers: [
            {
              name: 'controller',
              image: 'public.ecr.aws/karpenter/controller:1.14.1',
              env: [{ name: 'CLUSTER_NAME', value: '{{ .Values.settings.clusterName }}' }],
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
  ...role('karpenter-core'),
  ...role('karpenter'),
  ...role('karpenter', 'kube-system'),
  ...role('karpenter-dns', 'kube-system'),
  {
    apiVersion: RBAC,
    kind: 'ClusterRole',
    metadata: {
      ...metadata('karpenter-admin'),
      labels: { ...labels, 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' },
    },
    rules: [{ apiGroups: ['karpenter.sh'], resources: ['nodepools'], verbs: ['get'] }],
  },
]

/** Folder of a chart that leaves a cluster as an installation of Karpenter 1.14 does; removed by whoever asked for it. */
export const upstreamChart = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-upstream-'))
  const folder = join(directory, 'karpenter')
  mkdirSync(join(folder, 'templates'), { recursive: true })
  cpSync(join(chart('karpenter'), 'crds'), join(folder, 'crds'), { recursive: true })
  writeFileSync(
    join(folder, 'Chart.yaml'),
    JSON.stringify({ apiVersion: 'v2', name: 'karpenter', version: '1.14.1', appVersion: '1.14.1' }),
  )
  writeFileSync(join(folder, 'values.yaml'), JSON.stringify({ settings: { clusterName: '' } }))
  writeFileSync(join(folder, 'templates', 'all.yaml'), objects.map((object) => JSON.stringify(object)).join('\n---\n'))
  return folder
}
