import { ownValue, setOwnValue } from '@kerf/apis'
import { ensureObject, type JsonObject, type JsonValue, objectAt, objectsAt, setDefault } from '../store/json.ts'
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

const deviceRequests = (spec: JsonObject): void => {
  for (const request of objectsAt(objectAt(spec, 'devices'), 'requests')) {
    const exactly = objectAt(request, 'exactly')
    for (const one of [...(exactly === undefined ? [] : [exactly]), ...objectsAt(request, 'firstAvailable')]) {
      setDefault(one, 'allocationMode', 'ExactCount')
      if (one['allocationMode'] === 'ExactCount') setDefault(one, 'count', 1)
    }
  }
}

const subjectGroups = (object: JsonObject): void => {
  for (const subject of objectsAt(object, 'subjects')) {
    if (subject['kind'] !== 'ServiceAccount') setDefault(subject, 'apiGroup', 'rbac.authorization.k8s.io')
  }
}

/** Sets a selector on a new Job that matches only the pods of this Job. */
const jobIdentity = (job: JsonObject): void => {
  const spec = ensureObject(job, 'spec')
  if (spec['manualSelector'] === true) return
  spec['manualSelector'] = false
  const metadata = ensureObject(job, 'metadata')
  const uid = String(metadata['uid'] ?? '')
  const name = String(metadata['name'] ?? '')
  const labels = ensureObject(ensureObject(ensureObject(spec, 'template'), 'metadata'), 'labels')
  for (const prefix of ['', 'batch.kubernetes.io/']) {
    setOwnValue(labels, `${prefix}controller-uid`, uid)
    setOwnValue(labels, `${prefix}job-name`, name)
  }
  spec['selector'] = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } }
  if (metadata['labels'] === undefined) metadata['labels'] = { ...labels }
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
    for (const [key, value] of Object.entries(plain))
      setOwnValue(data, key, Buffer.from(String(value)).toString('base64'))
    delete object['stringData']
  },
  Node: (_object, spec) => {
    if (spec['podCIDR'] !== undefined) setDefault(spec, 'podCIDRs', [spec['podCIDR']])
  },
  NetworkPolicy: (_object, spec) => {
    setDefault(spec, 'policyTypes', objectsAt(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'])
    for (const rule of [...objectsAt(spec, 'ingress'), ...objectsAt(spec, 'egress')]) {
      for (const port of objectsAt(rule, 'ports')) setDefault(port, 'protocol', 'TCP')
    }
  },
  HorizontalPodAutoscaler: (_object, spec) => {
    setDefault(spec, 'minReplicas', 1)
    const target = { type: 'Utilization', averageUtilization: 80 }
    setDefault(spec, 'metrics', [{ type: 'Resource', resource: { name: 'cpu', target } }])
  },
  LimitRange: (_object, spec) => {
    for (const limit of objectsAt(spec, 'limits')) {
      if (limit['type'] !== 'Container') continue
      const standard = ensureObject(limit, 'default')
      for (const [name, amount] of Object.entries(objectAt(limit, 'max') ?? {}))
        setDefault(standard, name, amount as JsonValue)
      const request = ensureObject(limit, 'defaultRequest')
      for (const source of [standard, objectAt(limit, 'min')])
        for (const [name, amount] of Object.entries(source ?? {})) setDefault(request, name, amount as JsonValue)
      for (const key of ['default', 'defaultRequest'])
        if (Object.keys(objectAt(limit, key) ?? {}).length === 0) delete limit[key]
    }
  },
  CSIDriver: (_object, spec) => {
    setDefault(spec, 'attachRequired', true)
    setDefault(spec, 'fsGroupPolicy', 'ReadWriteOnceWithFSType')
    for (const key of ['podInfoOnMount', 'requiresRepublish', 'seLinuxMount', 'storageCapacity'])
      setDefault(spec, key, false)
    setDefault(spec, 'volumeLifecycleModes', ['Persistent'])
  },
  ResourceClaim: (_object, spec) => deviceRequests(spec),
  ResourceClaimTemplate: (_object, spec) => deviceRequests(objectAt(spec, 'spec') ?? {}),
  RoleBinding: (object) => subjectGroups(object),
  ClusterRoleBinding: (object) => subjectGroups(object),
}

/** Sets the values that the server generates for a new object, such as a Job's selector. The defaults are set separately. */
export const identifyBuiltin = (kind: string, object: JsonObject): void => {
  if (kind === 'Job') jobIdentity(object)
}

/** Kinds that do not get an empty `spec` by default. */
const specless = new Set(['StorageClass', 'PriorityClass', 'Secret', 'RoleBinding', 'ClusterRoleBinding'])

/** Sets the API server's defaults for a built-in kind. */
export const applyBuiltinDefaults = (kind: string, object: JsonObject): void => {
  const apply = ownValue(defaults, kind)
  if (apply === undefined) return
  apply(object, specless.has(kind) ? {} : ensureObject(object, 'spec'))
}
