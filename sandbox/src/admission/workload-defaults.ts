import { ensureObject, type JsonObject, objectAt, objectsAt, setDefault } from '../store/json.ts'
import { podSpecDefaults } from './pod-defaults.ts'

const template = (spec: JsonObject): void => {
  const podTemplate = objectAt(spec, 'template')
  if (podTemplate === undefined) return
  ensureObject(podTemplate, 'metadata')
  podSpecDefaults(ensureObject(podTemplate, 'spec'), true)
}

const claimSpec = (spec: JsonObject): void => setDefault(spec, 'volumeMode', 'Filesystem')

const serviceSpec = (spec: JsonObject): void => {
  setDefault(spec, 'type', 'ClusterIP')
  setDefault(spec, 'sessionAffinity', 'None')
  if (spec['type'] !== 'ExternalName') {
    setDefault(spec, 'internalTrafficPolicy', 'Cluster')
    setDefault(spec, 'ipFamilies', ['IPv4'])
    setDefault(spec, 'ipFamilyPolicy', 'SingleStack')
  }
  if (spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer')
    setDefault(spec, 'externalTrafficPolicy', 'Cluster')
  if (spec['type'] === 'LoadBalancer') setDefault(spec, 'allocateLoadBalancerNodePorts', true)
  for (const port of objectsAt(spec, 'ports')) {
    setDefault(port, 'protocol', 'TCP')
    if (port['port'] !== undefined) setDefault(port, 'targetPort', port['port'])
  }
}

const jobSpec = (spec: JsonObject): void => {
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) {
    spec['completions'] = 1
    spec['parallelism'] = 1
  }
  setDefault(spec, 'parallelism', 1)
  setDefault(spec, 'backoffLimit', 6)
  setDefault(spec, 'completionMode', 'NonIndexed')
  setDefault(spec, 'suspend', false)
  setDefault(spec, 'podReplacementPolicy', spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed')
  template(spec)
}

const defaults: Readonly<Record<string, (object: JsonObject, spec: JsonObject) => void>> = {
  Deployment: (_object, spec) => {
    setDefault(spec, 'replicas', 1)
    setDefault(spec, 'revisionHistoryLimit', 10)
    setDefault(spec, 'progressDeadlineSeconds', 600)
    const strategy = ensureObject(spec, 'strategy')
    setDefault(strategy, 'type', 'RollingUpdate')
    if (strategy['type'] === 'RollingUpdate') {
      const rolling = ensureObject(strategy, 'rollingUpdate')
      setDefault(rolling, 'maxUnavailable', '25%')
      setDefault(rolling, 'maxSurge', '25%')
    }
    template(spec)
  },
  ReplicaSet: (_object, spec) => {
    setDefault(spec, 'replicas', 1)
    template(spec)
  },
  ReplicationController: (object, spec) => {
    setDefault(spec, 'replicas', 1)
    template(spec)
    const labels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels')
    if (labels !== undefined) {
      setDefault(spec, 'selector', { ...labels })
      setDefault(ensureObject(object, 'metadata'), 'labels', { ...labels })
    }
  },
  StatefulSet: (_object, spec) => {
    setDefault(spec, 'replicas', 1)
    setDefault(spec, 'revisionHistoryLimit', 10)
    setDefault(spec, 'podManagementPolicy', 'OrderedReady')
    const strategy = ensureObject(spec, 'updateStrategy')
    setDefault(strategy, 'type', 'RollingUpdate')
    if (strategy['type'] === 'RollingUpdate') setDefault(ensureObject(strategy, 'rollingUpdate'), 'partition', 0)
    const retention = ensureObject(spec, 'persistentVolumeClaimRetentionPolicy')
    setDefault(retention, 'whenDeleted', 'Retain')
    setDefault(retention, 'whenScaled', 'Retain')
    for (const claim of objectsAt(spec, 'volumeClaimTemplates')) {
      setDefault(claim, 'apiVersion', 'v1')
      setDefault(claim, 'kind', 'PersistentVolumeClaim')
      claimSpec(ensureObject(claim, 'spec'))
    }
    template(spec)
  },
  DaemonSet: (_object, spec) => {
    setDefault(spec, 'revisionHistoryLimit', 10)
    const strategy = ensureObject(spec, 'updateStrategy')
    setDefault(strategy, 'type', 'RollingUpdate')
    if (strategy['type'] === 'RollingUpdate') {
      const rolling = ensureObject(strategy, 'rollingUpdate')
      setDefault(rolling, 'maxUnavailable', 1)
      setDefault(rolling, 'maxSurge', 0)
    }
    template(spec)
  },
  Job: (_object, spec) => jobSpec(spec),
  CronJob: (_object, spec) => {
    setDefault(spec, 'concurrencyPolicy', 'Allow')
    setDefault(spec, 'suspend', false)
    setDefault(spec, 'successfulJobsHistoryLimit', 3)
    setDefault(spec, 'failedJobsHistoryLimit', 1)
    const job = objectAt(objectAt(spec, 'jobTemplate'), 'spec')
    if (job !== undefined) template(job)
  },
  Service: (_object, spec) => serviceSpec(spec),
  PersistentVolumeClaim: (_object, spec) => claimSpec(spec),
  PersistentVolume: (_object, spec) => {
    setDefault(spec, 'volumeMode', 'Filesystem')
    setDefault(spec, 'persistentVolumeReclaimPolicy', 'Retain')
  },
  StorageClass: (object) => {
    setDefault(object, 'reclaimPolicy', 'Delete')
    setDefault(object, 'volumeBindingMode', 'Immediate')
  },
  PriorityClass: (object) => setDefault(object, 'preemptionPolicy', 'PreemptLowerPriority'),
  Secret: (object) => {
    setDefault(object, 'type', 'Opaque')
    const plain = objectAt(object, 'stringData')
    if (plain === undefined) return
    const data = ensureObject(object, 'data')
    for (const [key, value] of Object.entries(plain)) data[key] = Buffer.from(String(value)).toString('base64')
    delete object['stringData']
  },
  Node: (_object, spec) => {
    if (spec['podCIDR'] !== undefined) setDefault(spec, 'podCIDRs', [spec['podCIDR']])
  },
  NetworkPolicy: (_object, spec) => {
    setDefault(spec, 'policyTypes', objectsAt(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'])
  },
  HorizontalPodAutoscaler: (_object, spec) => setDefault(spec, 'minReplicas', 1),
}

/** The kinds that must have a `spec` even when nobody wrote one. */
const specless = new Set(['StorageClass', 'PriorityClass', 'Secret'])

/** Fills in what the API server fills in for a built-in kind. */
export const applyBuiltinDefaults = (kind: string, object: JsonObject): void => {
  const apply = defaults[kind]
  if (apply === undefined) return
  apply(object, specless.has(kind) ? {} : ensureObject(object, 'spec'))
}
