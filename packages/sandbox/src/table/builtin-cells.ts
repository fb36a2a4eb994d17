import { formatLabelSelector, type LabelSelector, ownValue, parseTime } from '@kerf/apis'
import { type JsonObject, type JsonValue, numberAt, objectAt, objectsAt, stringAt } from '../store/json.ts'
import { humanAge, humanDuration } from './human-duration.ts'
import { podSummary, readinessGates } from './pod-cells.ts'

type Cell = (object: JsonObject, now: number) => JsonValue
type Cells = Readonly<Record<string, Cell>>

const spec = (object: JsonObject): JsonObject | undefined => objectAt(object, 'spec')
const status = (object: JsonObject): JsonObject | undefined => objectAt(object, 'status')
const metadata = (object: JsonObject): JsonObject | undefined => objectAt(object, 'metadata')
const none = (text: string | undefined): string => (text === undefined || text === '' ? '<none>' : text)
const unset = (text: string | undefined): string => (text === undefined || text === '' ? '<unset>' : text)
const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
const specText =
  (key: string): Cell =>
  (object) =>
    text(ownValue(spec(object), key))
const rootText =
  (key: string): Cell =>
  (object) =>
    text(ownValue(object, key))
const count =
  (part: 'spec' | 'status', key: string, standard = 0): Cell =>
  (object) =>
    numberAt(objectAt(object, part), key) ?? standard

const selectorText = (selector: JsonObject | undefined, plain = false): string => {
  if (selector === undefined) return '<none>'
  return none(formatLabelSelector((plain ? { matchLabels: selector } : selector) as unknown as LabelSelector))
}
const templateContainers = (object: JsonObject, at: readonly string[]): JsonObject[] =>
  objectsAt(
    objectAt(
      at.reduce<JsonObject | undefined>((value, key) => objectAt(value, key), object),
      'spec',
    ),
    'containers',
  )
const templateCells = (at: readonly string[], selectorIsPlain = false): Cells => ({
  Containers: (object) =>
    templateContainers(object, at)
      .map((one) => text(one['name']))
      .join(','),
  Images: (object) =>
    templateContainers(object, at)
      .map((one) => text(one['image']))
      .join(','),
  Selector: (object) => selectorText(objectAt(spec(object), 'selector'), selectorIsPlain),
})
const template = templateCells(['spec', 'template'])

const accessModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}
const modes = (value: unknown): string =>
  Array.isArray(value) ? value.map((mode) => ownValue(accessModes, String(mode)) ?? String(mode)).join(',') : ''

const node: Cells = {
  Status: (object) => {
    const ready = objectsAt(status(object), 'conditions').find((condition) => condition['type'] === 'Ready')
    const words = [ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady']
    if (spec(object)?.['unschedulable'] === true) words.push('SchedulingDisabled')
    return words.join(',')
  },
  Roles: (object) => {
    const roles = Object.entries(objectAt(metadata(object), 'labels') ?? {}).flatMap(([key, value]) =>
      key.startsWith('node-role.kubernetes.io/')
        ? [key.slice('node-role.kubernetes.io/'.length)]
        : key === 'kubernetes.io/role'
          ? [text(value)]
          : [],
    )
    return none(
      [...new Set(roles)]
        .filter((role) => role !== '')
        .toSorted()
        .join(','),
    )
  },
  Version: (object) => text(objectAt(status(object), 'nodeInfo')?.['kubeletVersion']),
  'Internal-IP': (object) => none(objectAddress(object, 'InternalIP')),
  'External-IP': (object) => none(objectAddress(object, 'ExternalIP')),
  'OS-Image': (object) => stringAt(objectAt(status(object), 'nodeInfo'), 'osImage') || '<unknown>',
  'Kernel-Version': (object) => stringAt(objectAt(status(object), 'nodeInfo'), 'kernelVersion') || '<unknown>',
  'Container-Runtime': (object) =>
    stringAt(objectAt(status(object), 'nodeInfo'), 'containerRuntimeVersion') || '<unknown>',
}
const objectAddress = (object: JsonObject, type: string): string | undefined =>
  stringAt(
    objectsAt(status(object), 'addresses').find((address) => address['type'] === type),
    'address',
  )

const pod: Cells = {
  Ready: (object, now) => podSummary(object, now).ready,
  Status: (object, now) => podSummary(object, now).status,
  Restarts: (object, now) => podSummary(object, now).restarts,
  IP: (object) => none(stringAt(status(object), 'podIP')),
  Node: (object) => none(stringAt(spec(object), 'nodeName')),
  'Nominated Node': (object) => none(stringAt(status(object), 'nominatedNodeName')),
  'Readiness Gates': (object) => readinessGates(object),
}

const event: Cells = {
  'Last Seen': (object, now) =>
    humanAge(
      object['lastTimestamp'] ??
        objectAt(object, 'series')?.['lastObservedTime'] ??
        object['eventTime'] ??
        metadata(object)?.['creationTimestamp'],
      now,
    ),
  'First Seen': (object, now) => humanAge(object['firstTimestamp'] ?? object['eventTime'], now),
  Type: rootText('type'),
  Reason: rootText('reason'),
  Object: (object) => {
    const about = objectAt(object, 'involvedObject') ?? objectAt(object, 'regarding')
    return `${text(about?.['kind']).toLowerCase()}/${text(about?.['name'])}`
  },
  Subobject: (object) => text(objectAt(object, 'involvedObject')?.['fieldPath']),
  Source: (object) => {
    const source = objectAt(object, 'source')
    const component = stringAt(source, 'component') ?? stringAt(object, 'reportingComponent') ?? ''
    const host = stringAt(source, 'host') ?? stringAt(object, 'reportingInstance') ?? ''
    return host === '' ? component : `${component}, ${host}`
  },
  Message: (object) => text(object['message'] ?? object['note']).trim(),
  Count: (object) => text(objectAt(object, 'series')?.['count'] ?? object['count'] ?? 1),
}

const job: Cells = {
  Status: (object) => {
    const has = (type: string): boolean =>
      objectsAt(status(object), 'conditions').some(
        (condition) => condition['type'] === type && condition['status'] === 'True',
      )
    if (has('Complete')) return 'Complete'
    if (has('Failed')) return 'Failed'
    if (metadata(object)?.['deletionTimestamp'] !== undefined) return 'Terminating'
    if (has('Suspended')) return 'Suspended'
    if (has('FailureTarget')) return 'FailureTarget'
    if (has('SuccessCriteriaMet')) return 'SuccessCriteriaMet'
    return 'Running'
  },
  Completions: (object) => {
    const done = numberAt(status(object), 'succeeded') ?? 0
    const wanted = numberAt(spec(object), 'completions')
    const parallel = numberAt(spec(object), 'parallelism') ?? 0
    if (wanted !== undefined) return `${done}/${wanted}`
    return parallel > 1 ? `${done}/1 of ${parallel}` : `${done}/1`
  },
  Duration: (object, now) => {
    const started = parseTime(stringAt(status(object), 'startTime'))
    if (started === undefined) return ''
    const ended = parseTime(stringAt(status(object), 'completionTime'))
    return humanDuration((ended ?? now) - started)
  },
  ...template,
}

const service: Cells = {
  Type: specText('type'),
  'Cluster-IP': (object) => none(stringAt(spec(object), 'clusterIP')),
  'External-IP': (object) => {
    const type = stringAt(spec(object), 'type')
    if (type === 'ExternalName') return text(spec(object)?.['externalName'])
    const external = spec(object)?.['externalIPs']
    const given = Array.isArray(external) ? external.map(String) : []
    if (type !== 'LoadBalancer') return none(given.join(','))
    const ingress = objectsAt(objectAt(status(object), 'loadBalancer'), 'ingress').map((one) =>
      text(one['ip'] ?? one['hostname']),
    )
    return [...ingress, ...given].join(',') || '<pending>'
  },
  'Port(s)': (object) =>
    none(
      objectsAt(spec(object), 'ports')
        .map(
          (port) =>
            `${text(port['port'])}${port['nodePort'] === undefined ? '' : `:${text(port['nodePort'])}`}/${text(port['protocol'])}`,
        )
        .join(','),
    ),
  Selector: (object) => selectorText(objectAt(spec(object), 'selector'), true),
}

const claim: Cells = {
  Status: (object) =>
    metadata(object)?.['deletionTimestamp'] === undefined ? text(status(object)?.['phase']) : 'Terminating',
  Volume: specText('volumeName'),
  Capacity: (object) =>
    stringAt(spec(object), 'volumeName') === undefined ? '' : text(objectAt(status(object), 'capacity')?.['storage']),
  'Access Modes': (object) =>
    stringAt(spec(object), 'volumeName') === undefined
      ? ''
      : modes(status(object)?.['accessModes'] ?? spec(object)?.['accessModes']),
  StorageClass: specText('storageClassName'),
  VolumeAttributesClass: (object) => unset(stringAt(spec(object), 'volumeAttributesClassName')),
  VolumeMode: (object) => unset(stringAt(spec(object), 'volumeMode')),
}

const volume: Cells = {
  Capacity: (object) => text(objectAt(spec(object), 'capacity')?.['storage']),
  'Access Modes': (object) => modes(spec(object)?.['accessModes']),
  'Reclaim Policy': specText('persistentVolumeReclaimPolicy'),
  Status: claim['Status'] ?? (() => ''),
  Claim: (object) => {
    const bound = objectAt(spec(object), 'claimRef')
    return bound === undefined ? '' : `${text(bound['namespace'])}/${text(bound['name'])}`
  },
  StorageClass: specText('storageClassName'),
  VolumeAttributesClass: (object) => unset(stringAt(spec(object), 'volumeAttributesClassName')),
  Reason: (object) => text(status(object)?.['reason']),
  VolumeMode: (object) => unset(stringAt(spec(object), 'volumeMode')),
}

const role: Cells = {
  Role: (object) => `${text(objectAt(object, 'roleRef')?.['kind'])}/${text(objectAt(object, 'roleRef')?.['name'])}`,
}
const subjects =
  (kind: string): Cell =>
  (object) =>
    objectsAt(object, 'subjects')
      .filter((subject) => subject['kind'] === kind)
      .map((subject) =>
        kind === 'ServiceAccount' ? `${text(subject['namespace'])}/${text(subject['name'])}` : text(subject['name']),
      )
      .join(', ')
const binding: Cells = {
  ...role,
  Users: subjects('User'),
  Groups: subjects('Group'),
  ServiceAccounts: subjects('ServiceAccount'),
}

const replicas: Cells = {
  Desired: count('spec', 'replicas'),
  Current: count('status', 'replicas'),
  Ready: count('status', 'readyReplicas'),
}
const oneOf = (object: JsonObject, keys: readonly string[]): number =>
  keys.reduce((sum, key) => sum + Object.keys(objectAt(object, key) ?? {}).length, 0)

/** The cells of built-in resource kinds by resource and column. The cells for name, age and creation time are the same for all kinds. */
export const builtinCells: Readonly<Record<string, Cells>> = {
  '/pods': pod,
  '/nodes': node,
  '/namespaces': { Status: (object) => text(status(object)?.['phase']) },
  '/configmaps': { Data: (object) => oneOf(object, ['data', 'binaryData']) },
  '/secrets': { Type: rootText('type'), Data: (object) => oneOf(object, ['data']) },
  '/services': service,
  '/events': event,
  'events.k8s.io/events': event,
  '/persistentvolumeclaims': claim,
  '/persistentvolumes': volume,
  '/replicationcontrollers': { ...replicas, ...templateCells(['spec', 'template'], true) },
  '/endpoints': {
    Endpoints: (object) =>
      none(
        objectsAt(object, 'subsets')
          .flatMap((subset) => objectsAt(subset, 'addresses').map((address) => text(address['ip'])))
          .join(','),
      ),
  },
  'apps/deployments': {
    Ready: (object) => `${numberAt(status(object), 'readyReplicas') ?? 0}/${numberAt(spec(object), 'replicas') ?? 0}`,
    'Up-to-date': (object) => numberAt(status(object), 'updatedReplicas') ?? 0,
    Available: (object) => numberAt(status(object), 'availableReplicas') ?? 0,
    ...template,
  },
  'apps/replicasets': { ...replicas, ...template },
  'apps/statefulsets': {
    Ready: (object) => `${numberAt(status(object), 'readyReplicas') ?? 0}/${numberAt(spec(object), 'replicas') ?? 0}`,
    ...template,
  },
  'apps/daemonsets': {
    Desired: count('status', 'desiredNumberScheduled'),
    Current: count('status', 'currentNumberScheduled'),
    Ready: count('status', 'numberReady'),
    'Up-to-date': count('status', 'updatedNumberScheduled'),
    Available: count('status', 'numberAvailable'),
    'Node Selector': (object) =>
      selectorText(objectAt(objectAt(objectAt(spec(object), 'template'), 'spec'), 'nodeSelector') ?? {}, true),
    ...template,
  },
  'apps/controllerrevisions': {
    Revision: rootText('revision'),
    Controller: (object) =>
      none(
        objectsAt(metadata(object), 'ownerReferences')
          .filter((owner) => owner['controller'] === true)
          .map((owner) => `${text(owner['kind'])}/${text(owner['name'])}`)[0],
      ),
  },
  'batch/jobs': job,
  'batch/cronjobs': {
    Schedule: specText('schedule'),
    Timezone: (object) => none(stringAt(spec(object), 'timeZone')),
    Suspend: (object) => spec(object)?.['suspend'] === true,
    Active: (object) => objectsAt(status(object), 'active').length,
    'Last Schedule': (object, now) =>
      status(object)?.['lastScheduleTime'] === undefined
        ? '<none>'
        : humanAge(status(object)?.['lastScheduleTime'], now),
    ...templateCells(['spec', 'jobTemplate', 'spec', 'template']),
  },
  'autoscaling/horizontalpodautoscalers': {
    Reference: (object) =>
      `${text(objectAt(spec(object), 'scaleTargetRef')?.['kind'])}/${text(objectAt(spec(object), 'scaleTargetRef')?.['name'])}`,
    MinPods: (object) => text(spec(object)?.['minReplicas'] ?? '<unset>'),
    MaxPods: specText('maxReplicas'),
    Replicas: (object) => numberAt(status(object), 'currentReplicas') ?? 0,
  },
  'coordination.k8s.io/leases': { Holder: specText('holderIdentity') },
  'policy/poddisruptionbudgets': {
    'Min Available': (object) => text(spec(object)?.['minAvailable'] ?? 'N/A'),
    'Max Unavailable': (object) => text(spec(object)?.['maxUnavailable'] ?? 'N/A'),
    'Allowed Disruptions': count('status', 'disruptionsAllowed'),
  },
  'scheduling.k8s.io/priorityclasses': {
    Value: (object) => numberAt(object, 'value') ?? 0,
    'Global-Default': (object) => object['globalDefault'] === true,
    PreemptionPolicy: rootText('preemptionPolicy'),
  },
  'node.k8s.io/runtimeclasses': { Handler: rootText('handler') },
  'storage.k8s.io/storageclasses': {
    Name: (object) => {
      const isDefault =
        objectAt(metadata(object), 'annotations')?.['storageclass.kubernetes.io/is-default-class'] === 'true'
      return `${text(metadata(object)?.['name'])}${isDefault ? ' (default)' : ''}`
    },
    Provisioner: rootText('provisioner'),
    ReclaimPolicy: rootText('reclaimPolicy'),
    VolumeBindingMode: rootText('volumeBindingMode'),
    AllowVolumeExpansion: (object) => String(object['allowVolumeExpansion'] === true),
  },
  'storage.k8s.io/csinodes': { Drivers: (object) => objectsAt(spec(object), 'drivers').length },
  'storage.k8s.io/volumeattachments': {
    Attacher: specText('attacher'),
    PV: (object) => text(objectAt(spec(object), 'source')?.['persistentVolumeName']),
    Node: specText('nodeName'),
    Attached: (object) => status(object)?.['attached'] === true,
  },
  'resource.k8s.io/resourceslices': {
    Node: (object) => none(stringAt(spec(object), 'nodeName')),
    Driver: specText('driver'),
    Pool: (object) => text(objectAt(spec(object), 'pool')?.['name']),
  },
  'resource.k8s.io/resourceclaims': {
    State: (object) => {
      const allocated = objectAt(status(object), 'allocation') === undefined ? 'pending' : 'allocated'
      return objectsAt(status(object), 'reservedFor').length > 0 ? `${allocated},reserved` : allocated
    },
  },
  'rbac.authorization.k8s.io/rolebindings': binding,
  'rbac.authorization.k8s.io/clusterrolebindings': binding,
  'networking.k8s.io/ingresses': {
    Class: (object) => none(stringAt(spec(object), 'ingressClassName')),
    Hosts: (object) =>
      objectsAt(spec(object), 'rules')
        .map((rule) => text(rule['host'] ?? '*'))
        .join(',') || '*',
    Address: (object) =>
      objectsAt(objectAt(status(object), 'loadBalancer'), 'ingress')
        .map((one) => text(one['ip'] ?? one['hostname']))
        .join(','),
    Ports: (object) => (objectsAt(spec(object), 'tls').length > 0 ? '80, 443' : '80'),
  },
  'networking.k8s.io/networkpolicies': {
    'Pod-Selector': (object) => selectorText(objectAt(spec(object), 'podSelector')),
  },
  'discovery.k8s.io/endpointslices': {
    AddressType: rootText('addressType'),
    Ports: (object) =>
      unset(
        objectsAt(object, 'ports')
          .map((port) => text(port['port']))
          .join(','),
      ),
    Endpoints: (object) =>
      unset(
        objectsAt(object, 'endpoints')
          .flatMap((one) => (Array.isArray(one['addresses']) ? one['addresses'].map(String) : []))
          .join(','),
      ),
  },
}
