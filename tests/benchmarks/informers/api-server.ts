// A child process of run.ts: an API server that supports only list and watch. Its objects are as large as real ones.
import { createServer, type ServerResponse } from 'node:http'

const nodeCount = Number(process.argv[2])
const podCount = Number(process.argv[3])
const ZONES = ['a', 'b', 'c']

/** Returns `managedFields` as a kubelet and a controller write them: about 0.9 kB of every pod. */
const managedFields = (managers: readonly string[]): object[] =>
  managers.map((manager) => ({
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: Object.fromEntries(
      ['conditions', 'containerStatuses', 'hostIP', 'phase', 'podIP', 'podIPs', 'startTime'].map((field) => [
        `f:${field}`,
        { '.': {}, 'k:{"type":"Ready"}': { '.': {}, 'f:lastTransitionTime': {}, 'f:status': {} } },
      ]),
    ),
  }))

const claimOf = (index: number): object => ({
  metadata: {
    name: `default-${index}`,
    uid: `claim-${index}`,
    resourceVersion: String(1_000 + index),
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { 'karpenter.sh/nodepool': 'default', 'karpenter.sh/capacity-type': 'spot' },
    finalizers: ['karpenter.sh/termination'],
    managedFields: managedFields(['karpenter']),
  },
  spec: {
    nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
    requirements: [{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['default'] }],
  },
  status: {
    providerID: `bench://node-${index}`,
    nodeName: `node-${index}`,
    capacity: { cpu: '16', memory: '64Gi', pods: '110' },
    allocatable: { cpu: '15890m', memory: '60Gi', pods: '110' },
    conditions: ['Launched', 'Registered', 'Initialized', 'Ready'].map((type) => ({ type, status: 'True' })),
  },
})

const nodeOf = (index: number): object => ({
  metadata: {
    name: `node-${index}`,
    uid: `node-uid-${index}`,
    resourceVersion: String(10_000 + index),
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: {
      'kubernetes.io/hostname': `node-${index}`,
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/os': 'linux',
      'node.kubernetes.io/instance-type': 'm-4x-amd64-linux',
      'topology.kubernetes.io/zone': `test-zone-${ZONES[index % 3]}`,
      'karpenter.sh/nodepool': 'default',
      'karpenter.sh/registered': 'true',
      'karpenter.sh/initialized': 'true',
      'karpenter.sh/capacity-type': 'spot',
    },
    managedFields: managedFields(['kubelet', 'karpenter']),
  },
  spec: { providerID: `bench://node-${index}` },
  status: {
    capacity: { cpu: '16', memory: '64Gi', pods: '110', 'ephemeral-storage': '100Gi' },
    allocatable: { cpu: '15890m', memory: '60Gi', pods: '110', 'ephemeral-storage': '90Gi' },
    conditions: ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
      type,
      status: type === 'Ready' ? 'True' : 'False',
      lastHeartbeatTime: '2026-01-01T00:00:00Z',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    })),
    images: Array.from({ length: 20 }, (_, image) => ({
      names: [`registry.example/team/app-${image}:1.0`],
      sizeBytes: 1e8,
    })),
    nodeInfo: { kubeletVersion: 'v1.36.3', osImage: 'Linux', containerRuntimeVersion: 'containerd://2.1.0' },
  },
})

const podOf = (index: number): object => {
  const app = `app-${index % 500}`
  return {
    metadata: {
      name: `${app}-7d9c5b6f4-${index.toString(36).padStart(5, '0')}`,
      namespace: `team-${index % 50}`,
      uid: `pod-${index}`,
      resourceVersion: String(100_000 + index),
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: {
        app,
        'pod-template-hash': '7d9c5b6f4',
        'app.kubernetes.io/part-of': 'shop',
        team: `team-${index % 50}`,
      },
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080' },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `${app}-7d9c5b6f4`,
          uid: `rs-${index % 500}`,
          controller: true,
        },
      ],
      managedFields: managedFields(['kube-controller-manager', 'kubelet']),
    },
    spec: {
      nodeName: `node-${index % nodeCount}`,
      schedulerName: 'default-scheduler',
      serviceAccountName: 'default',
      priority: 0,
      terminationGracePeriodSeconds: 30,
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'topology.kubernetes.io/zone',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { app } },
        },
      ],
      containers: [
        {
          name: 'app',
          image: `registry.example/team/${app}:1.42.0`,
          resources: { requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '512Mi' } },
          env: Array.from({ length: 6 }, (_, each) => ({ name: `SETTING_${each}`, value: `value-${each}` })),
          ports: [{ containerPort: 8080, protocol: 'TCP' }],
          readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 10 },
          volumeMounts: [
            { name: 'kube-api-access', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true },
          ],
        },
      ],
      volumes: [{ name: 'kube-api-access', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }],
    },
    status: {
      phase: 'Running',
      podIP: '10.0.0.1',
      hostIP: '10.1.0.1',
      qosClass: 'Burstable',
      startTime: '2026-01-01T00:00:00Z',
      conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
      containerStatuses: [
        { name: 'app', ready: true, started: true, restartCount: 0, image: app, containerID: `containerd://${index}` },
      ],
    },
  }
}

const TABLES: Readonly<Record<string, { readonly count: number; readonly of: (index: number) => object }>> = {
  nodes: { count: nodeCount, of: nodeOf },
  pods: { count: podCount, of: podOf },
  nodeclaims: { count: nodeCount, of: claimOf },
}

const answerList = (plural: string, query: URLSearchParams, response: ServerResponse): void => {
  const { count, of } = TABLES[plural] ?? { count: 0, of: nodeOf }
  const from = Number(query.get('continue') ?? 0)
  const end = Math.min(count, from + Number(query.get('limit') ?? count))
  const items = Array.from({ length: end - from }, (_, index) => of(from + index))
  const metadata = { resourceVersion: '1000000', ...(end < count && { continue: String(end) }) }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata, items }))
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (url.searchParams.has('watch')) response.writeHead(200).flushHeaders()
  else answerList(url.pathname.split('/').at(-1) ?? '', url.searchParams, response)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.stdout.write(`${address.port}\n`)
})
