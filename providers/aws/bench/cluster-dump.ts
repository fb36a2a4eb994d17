/** An object in the format of `kubectl get -A -o json`. It contains only fields that affect a plan or the size of the dump. */
type Dumped = Readonly<Record<string, unknown>>

const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const
const NODES = 300
const APPS = 40
/** The possible resource requests of a pod. All pods of one app have the same requests. */
const REQUESTS = [
  { cpu: '250m', memory: '512Mi' },
  { cpu: '500m', memory: '1Gi' },
  { cpu: '300m', memory: '2Gi' },
  { cpu: '200m', memory: '256Mi' },
] as const
const SINCE = '2026-01-05T08:00:00Z'

const pool: Dumped = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general', uid: 'pool', creationTimestamp: SINCE },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [
          { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
        ],
      },
    },
    limits: { cpu: '10000' },
  },
  status: { conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: SINCE }] },
}

const nodeClass: Dumped = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default', uid: 'class', creationTimestamp: SINCE },
  spec: {
    role: 'nodes',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
  },
}

const node = (index: number): Dumped => {
  const name = `ip-10-0-${Math.floor(index / 250)}-${index % 250}.ec2.internal`
  const amounts = { cpu: '7910m', memory: '30Gi', pods: '58', 'ephemeral-storage': '17Gi' }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: `node-${index}`,
      creationTimestamp: SINCE,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'm6i.2xlarge',
        'topology.kubernetes.io/zone': ZONES[index % ZONES.length],
        'topology.kubernetes.io/region': 'us-east-1',
        'karpenter.sh/capacity-type': 'on-demand',
      },
    },
    spec: { providerID: `aws:///${ZONES[index % ZONES.length]}/i-${index}` },
    status: {
      capacity: { ...amounts, cpu: '8' },
      allocatable: amounts,
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: '', lastTransitionTime: SINCE }],
      nodeInfo: {
        architecture: 'amd64',
        operatingSystem: 'linux',
        kubeletVersion: 'v1.34.1',
        osImage: 'Amazon Linux 2023',
      },
    },
  }
}

const PENDING = {
  phase: 'Pending',
  conditions: [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: '0/300 nodes are available: 300 Insufficient cpu. preemption: 0/300 nodes are available.',
      lastTransitionTime: SINCE,
    },
  ],
  qosClass: 'Burstable',
}

const running = (index: number): Dumped => ({
  phase: 'Running',
  conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: SINCE,
  })),
  hostIP: '10.0.0.1',
  podIP: `10.1.${Math.floor(index / 250)}.${index % 250}`,
  startTime: SINCE,
  containerStatuses: [
    {
      name: 'app',
      image: 'registry.example/shop/app:1.2.3',
      imageID: `registry.example/shop/app@sha256:${'0'.repeat(64)}`,
      containerID: `containerd://${'0'.repeat(64)}`,
      ready: true,
      restartCount: 0,
      started: true,
      state: { running: { startedAt: SINCE } },
    },
  ],
  qosClass: 'Burstable',
})

const pod = (index: number, isPending: boolean): Dumped => {
  const app = `app-${index % APPS}`
  const place = index % NODES
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${app}-7d4b9c-${index}`,
      namespace: `team-${index % 8}`,
      uid: `pod-${index}`,
      creationTimestamp: SINCE,
      labels: { app, 'pod-template-hash': '7d4b9c', 'app.kubernetes.io/part-of': 'shop' },
      annotations: { 'prometheus.io/scrape': 'true', 'checksum/config': '0'.repeat(64) },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `${app}-7d4b9c`,
          uid: `rs-${app}`,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      ...(isPending ? {} : { nodeName: `ip-10-0-${Math.floor(place / 250)}-${place % 250}.ec2.internal` }),
      schedulerName: 'default-scheduler',
      serviceAccountName: app,
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
      enableServiceLinks: true,
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'topology.kubernetes.io/zone',
          whenUnsatisfiable: index % 4 === 0 ? 'DoNotSchedule' : 'ScheduleAnyway',
          labelSelector: { matchLabels: { app } },
        },
      ],
      tolerations: ['not-ready', 'unreachable'].map((key) => ({
        key: `node.kubernetes.io/${key}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      volumes: [
        {
          name: 'token',
          projected: {
            defaultMode: 420,
            sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }],
          },
        },
      ],
      containers: [
        {
          name: 'app',
          image: 'registry.example/shop/app:1.2.3',
          imagePullPolicy: 'IfNotPresent',
          env: Array.from({ length: 8 }, (_, nth) => ({ name: `SETTING_${nth}`, value: `value of setting ${nth}` })),
          ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
          readinessProbe: {
            httpGet: { path: '/ready', port: 'http', scheme: 'HTTP' },
            periodSeconds: 10,
            timeoutSeconds: 1,
          },
          resources: { requests: REQUESTS[index % REQUESTS.length], limits: { memory: '4Gi' } },
          volumeMounts: [{ name: 'token', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true }],
        },
      ],
    },
    status: isPending ? PENDING : running(index),
  }
}

/**
 * Returns a JSON dump of a cluster with 300 nodes and `pods` pods. The last `pending` pods are pending. If all pods are pending, the
 * cluster has no nodes.
 */
export const clusterDump = (pods: number, pending: number): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [
      pool,
      nodeClass,
      ...(pending === pods ? [] : Array.from({ length: NODES }, (_, index) => node(index))),
      ...Array.from({ length: pods }, (_, index) => pod(index, index >= pods - pending)),
    ],
  })
